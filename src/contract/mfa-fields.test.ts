import { describe, expect, it } from '@jest/globals';
import { readMfaFields } from './mfa-fields.js';

const REST = {
  token: 'token',
  factors: [],
  view: 'totp',
  error: null,
  recovery_codes_left: true,
  wanted_by: 'account' as const,
  ticket: 'ticket',
};
const SNAKE = { totp_registered: true, fido2_registered: true, login_challenge: 'challenge', xsrf_token: 'value' };
const CAMEL = { totpRegistered: true, fido2Registered: true, loginChallenge: 'challenge', xsrfToken: 'value' };

describe('fields of the second step', () => {
  it('[GEN-8] are read in both spellings', () => {
    expect(readMfaFields({ ...REST, ...SNAKE })).toEqual({ ...REST, ...SNAKE });
    expect(readMfaFields({ ...REST, ...CAMEL })).toEqual({ ...REST, ...SNAKE });
  });

  it('[GEN-8] have empty defaults if neither spelling is present', () => {
    const emptyValues = { totp_registered: false, fido2_registered: false, login_challenge: '', xsrf_token: '' };
    expect(readMfaFields(REST)).toEqual({ ...REST, ...emptyValues });
  });

  it.each([
    [true, true, 'choose'],
    [true, false, 'totp'],
    [false, true, 'fido2'],
    [false, false, 'enrol'],
  ])('[MFV-1] are complete in a state of the specification: authenticator app %s, security key %s', (totp, fido2, view) => {
    const state = {
      token: 'token',
      totp_registered: totp,
      fido2Registered: fido2,
      loginChallenge: 'challenge',
      xsrf_token: 'value',
    };
    const fields = readMfaFields(state);
    expect(fields).toMatchObject({ view, error: null, login_challenge: 'challenge' });
    expect(fields.factors).toEqual([
      { name: 'totp', registered: totp, offered: view === 'enrol' },
      { name: 'fido2', registered: fido2, offered: view === 'enrol' },
    ]);
  });
});
