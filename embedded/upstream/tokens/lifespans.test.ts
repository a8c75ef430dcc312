import { describe, expect, it } from '@jest/globals';
import { lifespanOf, toDurationText } from './lifespans.js';

describe('lifespanOf', () => {
  it('is what the client was given, or the usual', () => {
    const client = { lifespans: { authorization_code_grant_access_token_lifespan: '2h0m0s' } };
    expect(lifespanOf(client, 'authorization_code', 'access_token')).toBe(7200);
    expect(lifespanOf(client, 'refresh_token', 'access_token')).toBe(3600);
    expect(lifespanOf(client, 'authorization_code', 'refresh_token')).toBe(2_592_000);
  });
});

describe('toDurationText', () => {
  it.each([
    [0, '0s'],
    [90, '1m30s'],
    [3600, '1h0m0s'],
    [5461, '1h31m1s'],
  ])('%d is %s', (seconds, text) => {
    expect(toDurationText(seconds)).toBe(text);
  });
});
