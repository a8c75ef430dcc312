/** A member of Hydra's answer that is missing or has another type never allows more than Hydra states. */
import { describe, expect, it } from '@jest/globals';
import { readAccessToken, readClient, readLogoutRequest } from './requests.js';

describe('a logout request', () => {
  const logout = { challenge: 'c', subject: 's', sid: 'sid', request_url: '/oauth2/sessions/logout', client: null };

  it.each([
    [false, false],
    [true, true],
    [undefined, true],
    [null, true],
    ['false', true],
  ])('[S-15b] was requested by an app unless Hydra denies it: rp_initiated %j', (value, expected) => {
    expect(readLogoutRequest({ ...logout, rp_initiated: value }).rpInitiated).toBe(expected);
  });
});

describe('a client', () => {
  it.each([
    ['client_secret_basic', false],
    ['private_key_jwt', false],
    ['none', true],
    [undefined, true],
    ['', true],
    [7, true],
  ])('[S-131] is confidential only if Hydra names its authentication method: %j', (value, expected) => {
    expect(readClient({ client_id: 'a', token_endpoint_auth_method: value }).isPublic).toBe(expected);
  });
});

describe('an access token', () => {
  const active = { active: true, token_use: 'access_token', client_id: 'a', sub: 's', scope: 'id', iat: 1, exp: 2 };

  it.each([
    [undefined, []],
    [null, []],
    [[], []],
    [
      ['one', 7],
      ['one', '7'],
    ],
    ['https://other.example', ['https://other.example']],
    [{ a: 1 }, ['[object Object]']],
  ])('[S-74] has no audience only if Hydra states none: %j', (aud, expected) => {
    expect(readAccessToken({ ...active, aud })?.audience).toEqual(expected);
  });

  it.each([undefined, null, 0, '1'])('[S-44] is refused without a time of issue: %j', (iat) => {
    expect(readAccessToken({ ...active, iat })).toBeNull();
  });
});
