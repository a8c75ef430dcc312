import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../accounts/account/accounts.js';
import { DISCOVERY } from '../../contract/scopes.js';
import { claimsFor } from './claims.js';

describe('claims of an account with every attribute', () => {
  const account = {
    username: 'maria',
    displayName: 'Maria',
    email: 'maria@example.org',
    emailVerified: true,
    picture: 'https://app.example/maria.png',
    language: 'de',
    updatedAt: new Date(0),
  } as Account;

  it('are those that discovery is told to name', () => {
    expect(Object.keys(claimsFor(account, DISCOVERY.scopes)).sort()).toEqual([...DISCOVERY.claims].sort());
  });
});
