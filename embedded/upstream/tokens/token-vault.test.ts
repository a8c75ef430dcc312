import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TokenRow } from '../store/rows.js';
import { Store } from '../store/store.js';
import { TokenVault } from './token-vault.js';

describe('TokenVault', () => {
  let now: number;
  let store: Store;
  let vault: TokenVault;

  beforeEach(() => {
    now = 1000;
    store = Store.open(null, () => undefined);
    vault = new TokenVault(store, () => now);
  });

  const issue = (kind: TokenRow['kind'], grantId = 'grant'): string =>
    vault.issue({
      ...{ kind, clientId: 'app', grantId, subject: 'alice', scope: [], audience: [] },
      ...{ issuedAt: now, expiresAt: now + 60 },
    });

  it('finds a token by its text until it expires, and does not store the text', () => {
    const text = issue('access');
    expect(text).toMatch(/^ory_at_[\w-]{43}\.[\w-]{43}$/);
    expect(vault.find(text)?.row.subject).toBe('alice');
    expect(vault.find(`${text}x`)).toBeNull();
    expect(JSON.stringify([...store.tokens.entries()])).not.toContain(text.slice(7, 50));

    now += 60;
    expect(vault.find(text)).toBeNull();
  });

  it('consumes a code once, even if two requests have found it', () => {
    const text = issue('code');
    const [firstToken, secondToken] = [vault.find(text), vault.find(text)];
    if (!firstToken || !secondToken) throw new Error('The vault does not find the code that it issued.');
    expect([vault.consume(firstToken), vault.consume(secondToken)]).toEqual([true, false]);
    expect(vault.find(text)?.row.used).toBe(true);
    expect(vault.findActive(text)).toBeNull();
  });

  it('deletes by grant and by client, and only the given kinds', () => {
    const [accessToken, refreshToken, otherToken] = [issue('access'), issue('refresh'), issue('access', 'another')];
    vault.deleteByGrant('grant', ['access']);
    expect([vault.find(accessToken), vault.find(refreshToken), vault.find(otherToken)].map((token) => token !== null)).toEqual([
      false,
      true,
      true,
    ]);

    vault.deleteByClient('app', ['access']);
    expect([vault.find(refreshToken), vault.find(otherToken)].map((token) => token !== null)).toEqual([true, false]);
  });
});
