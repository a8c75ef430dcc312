import { describe, expect, it } from '@jest/globals';
import { findProtection, type ProtectionCase } from './protection.js';

const GOOD_CASE: ProtectionCase = {
  hasPassword: true,
  factorKinds: 1,
  passkeys: 0,
  recoveryCodes: 10,
  codesUnseen: false,
  isUnreachable: false,
  canAddFactor: true,
  email: { address: 'a@example.org', verified: true },
};

const PASSKEY = { factorKinds: 0, passkeys: 1, recoveryCodes: 0 };

describe('findProtection', () => {
  it.each<[string, Partial<ProtectionCase>, ReturnType<typeof findProtection>]>([
    ['a second factor, codes and a verified address', {}, 'good'],
    ['an address that belongs to a source', { email: undefined }, 'good'],
    ['a password alone', { factorKinds: 0, recoveryCodes: 0 }, 'factor-missing'],
    ['a password alone, where no factor is offered', { factorKinds: 0, recoveryCodes: 0, canAddFactor: false }, undefined],
    ['a passkey and a password', PASSKEY, 'password-alone'],
    ['a passkey and a password, where no factor is offered', { ...PASSKEY, canAddFactor: false }, undefined],
    ['a passkey without a password', { ...PASSKEY, hasPassword: false }, 'good'],
    ['a provider alone', { hasPassword: false, factorKinds: 0, recoveryCodes: 0 }, undefined],
    ['a provider alone, with a second factor', { hasPassword: false }, undefined],
    ['no codes', { recoveryCodes: 0 }, 'codes-none'],
    ['few codes', { recoveryCodes: 2 }, 'codes-few'],
    ['codes that the person has not confirmed having seen', { codesUnseen: true }, 'codes-unseen'],
    ['just enough codes', { recoveryCodes: 3 }, 'good'],
    ['no address', { email: { address: null, verified: false } }, 'email-missing'],
    ['an unverified address', { email: { address: 'a@example.org', verified: false } }, 'email-unverified'],
    [
      'codes by e-mail alone and no address, before any other problem',
      { isUnreachable: true, recoveryCodes: 0, email: { address: null, verified: false } },
      'email-missing',
    ],
    ['codes by e-mail alone and no address that can be set here', { isUnreachable: true, email: undefined }, 'factor-missing'],
    [
      'codes by e-mail alone, where nothing can be set up',
      { isUnreachable: true, email: undefined, canAddFactor: false },
      undefined,
    ],
    ['several problems, by the most serious one', { recoveryCodes: 0, email: { address: null, verified: false } }, 'codes-none'],
  ])('rates an account with %s', (_description, change, expected) => {
    expect(findProtection({ ...GOOD_CASE, ...change })).toBe(expected);
  });
});
