import { describe, expect, it } from '@jest/globals';
import { toLifespan, toDurationText } from './lifespans.js';

describe('toLifespan', () => {
  it("returns the client's own value, or the default", () => {
    const client = { lifespans: { authorization_code_grant_access_token_lifespan: '2h0m0s' } };
    expect(toLifespan(client, 'authorization_code', 'access_token')).toBe(7200);
    expect(toLifespan(client, 'refresh_token', 'access_token')).toBe(3600);
    expect(toLifespan(client, 'authorization_code', 'refresh_token')).toBe(2_592_000);
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
