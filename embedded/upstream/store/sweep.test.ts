import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ConsentRow, TokenRow } from './rows.js';
import { Store } from './store.js';
import { sweep } from './sweep.js';

const TTL = 1800;
const NOW = 1_000_000;

function consent(flowId: string, more: Partial<ConsentRow> = {}): ConsentRow {
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

const token = (grantId: string, expiresAt: number): TokenRow => ({
  ...{ kind: 'access', clientId: 'app', grantId, subject: 'alice', scope: [], audience: [] },
  ...{ issuedAt: 0, expiresAt, used: false },
});

describe('sweep', () => {
  let store: Store;
  const sweepAndListConsents = (): string[] => {
    sweep(store, NOW, TTL);
    return [...store.consents.entries()].map(([id]) => id).sort();
  };
  const put = (row: ConsentRow): void => store.consents.put(row.flowId, row);

  beforeEach(() => {
    store = Store.open(null, () => undefined);
  });

  it('removes expired rows', () => {
    store.tokens.put('old', token('x', NOW));
    store.tokens.put('new', token('x', NOW + 1));
    store.sessions.put('old', { id: 'old', subject: 'a', authenticatedAt: 0, expiresAt: NOW });
    store.sessions.put('new', { id: 'new', subject: 'a', authenticatedAt: 0, expiresAt: NOW + 1 });
    store.handled.put('old', { sweepAt: NOW });
    store.handled.put('new', { sweepAt: NOW + 1 });
    sweep(store, NOW, TTL);

    expect([store.tokens, store.sessions, store.handled].map((table) => [...table.entries()].map(([id]) => id))).toEqual([
      ['new'],
      ['new'],
      ['new'],
    ]);
  });

  it('keeps a consent while its flow can be redeemed, its session exists or its tokens are valid', () => {
    put(consent('over'));
    put(consent('young', { requestedAt: NOW - TTL + 1 }));
    put(consent('session'));
    store.sessions.put('s-session', { id: 's-session', subject: 'alice', authenticatedAt: 0, expiresAt: NOW + 1 });
    put(consent('tokens'));
    store.tokens.put('t', token('c-tokens', NOW + 1));

    expect(sweepAndListConsents()).toEqual(['session', 'tokens', 'young']);
  });

  it('keeps the newest remembered consent, and older consents that expire later', () => {
    const toTime = (age: number): number => NOW - TTL - age;
    put(consent('oldest', { remember: true, requestedAt: toTime(30) }));
    put(consent('long', { remember: true, requestedAt: toTime(20) }));
    put(consent('short', { remember: true, requestedAt: toTime(10), rememberFor: TTL + 100 }));
    put(consent('ended', { remember: true, requestedAt: toTime(5), rememberFor: 1 }));
    put(consent('other client', { remember: true, requestedAt: toTime(40), clientId: 'b' }));
    put(consent('skipped', { remember: true, skip: true, requestedAt: toTime(1) }));

    expect(sweepAndListConsents()).toEqual(['long', 'other client', 'short']);
  });
});
