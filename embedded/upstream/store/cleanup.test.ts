import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ConsentRow, TokenRow } from './rows.js';
import { Store } from './store.js';
import { removeUnusableRows } from './cleanup.js';

const TTL = 1800;
const NOW = 1_000_000;

function buildConsent(flowId: string, more: Partial<ConsentRow> = {}): ConsentRow {
  return {
    flowId,
    consentId: `c-${flowId}`,
    clientId: 'app',
    subject: 'alice',
    sessionId: `s-${flowId}`,
    requestedScope: [],
    requestedAudience: [],
    grantedScope: [],
    grantedAudience: [],
    oidcContext: null,
    requestUrl: '',
    requestedAt: NOW - TTL - 1,
    authenticatedAt: 0,
    acr: '',
    amr: [],
    nonce: '',
    context: null,
    skip: false,
    remember: false,
    rememberFor: 0,
    handledAtMs: 0,
    idTokenClaims: {},
    accessTokenClaims: {},
    ...more,
  };
}

const buildToken = (grantId: string, expiresAt: number): TokenRow => ({
  ...{ kind: 'access', clientId: 'app', grantId, subject: 'alice', scope: [], audience: [] },
  ...{ issuedAt: 0, expiresAt, used: false },
});

describe('removeUnusableRows', () => {
  let store: Store;
  const removeAndListConsents = (): string[] => {
    removeUnusableRows(store, NOW, TTL);
    return [...store.consents.entries()].map(([id]) => id).sort();
  };
  const put = (row: ConsentRow): void => store.consents.put(row.flowId, row);

  beforeEach(() => {
    store = Store.open(null, () => undefined);
  });

  it('removes expired rows', () => {
    store.tokens.put('old', buildToken('x', NOW));
    store.tokens.put('new', buildToken('x', NOW + 1));
    store.sessions.put('old', { id: 'old', subject: 'a', authenticatedAt: 0, expiresAt: NOW });
    store.sessions.put('new', { id: 'new', subject: 'a', authenticatedAt: 0, expiresAt: NOW + 1 });
    store.handled.put('old', { sweepAt: NOW });
    store.handled.put('new', { sweepAt: NOW + 1 });
    removeUnusableRows(store, NOW, TTL);

    expect([store.tokens, store.sessions, store.handled].map((table) => [...table.entries()].map(([id]) => id))).toEqual([
      ['new'],
      ['new'],
      ['new'],
    ]);
  });

  it('keeps a consent while its flow can be redeemed, its session exists or its tokens are valid', () => {
    put(buildConsent('over'));
    put(buildConsent('young', { requestedAt: NOW - TTL + 1 }));
    put(buildConsent('session'));
    store.sessions.put('s-session', { id: 's-session', subject: 'alice', authenticatedAt: 0, expiresAt: NOW + 1 });
    put(buildConsent('tokens'));
    store.tokens.put('t', buildToken('c-tokens', NOW + 1));

    expect(removeAndListConsents()).toEqual(['session', 'tokens', 'young']);
  });

  it('keeps the newest remembered consent, and older consents that expire later', () => {
    const toTime = (age: number): number => NOW - TTL - age;
    put(buildConsent('oldest', { remember: true, requestedAt: toTime(30) }));
    put(buildConsent('long', { remember: true, requestedAt: toTime(20) }));
    put(buildConsent('short', { remember: true, requestedAt: toTime(10), rememberFor: TTL + 100 }));
    put(buildConsent('ended', { remember: true, requestedAt: toTime(5), rememberFor: 1 }));
    put(buildConsent('other client', { remember: true, requestedAt: toTime(40), clientId: 'b' }));
    put(buildConsent('skipped', { remember: true, skip: true, requestedAt: toTime(1) }));

    expect(removeAndListConsents()).toEqual(['long', 'other client', 'short']);
  });

  it('does not confuse clients and people whose ids contain line breaks', () => {
    put(buildConsent('one', { remember: true, clientId: 'app\nalice', subject: 'smith' }));
    put(buildConsent('other', { remember: true, clientId: 'app', subject: 'alice\nsmith' }));

    expect(removeAndListConsents()).toEqual(['one', 'other']);
  });
});
