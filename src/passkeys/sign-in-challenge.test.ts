import { describe, expect, it } from '@jest/globals';
import { testConfig } from '../../test/support/test-config.js';
import { Keys } from '../config/keys.js';
import { SignInChallenges } from './sign-in-challenge.js';

const SLOT = { challenge: 'login-1', browser: 'browser-1' };
const SECRETS = ['a new secret of the installation', 'an old secret of the installation'];

const buildChallenges = (seconds: number, secrets = SECRETS) =>
  new SignInChallenges(new Keys(secrets), { now: () => new Date(seconds * 1000), skewMs: 0 }, testConfig());
const issue = (seconds: number, secrets?: string[]) => buildChallenges(seconds, secrets).buildOptions(SLOT)?.challenge ?? '';

describe('the challenge of a sign-in', () => {
  it('is valid at every gateway for half an hour, also after a rotation of secrets', () => {
    const challenge = issue(1000);
    expect([buildChallenges(1000), buildChallenges(2800)].map((one) => one.verify(challenge, SLOT))).toEqual([true, true]);
    expect(buildChallenges(2801).verify(challenge, SLOT)).toBe(false);
    expect(buildChallenges(1000).verify(issue(1000, SECRETS.slice(1)), SLOT)).toBe(true);
    expect(buildChallenges(1000).verify(issue(1000, ['a secret of another installation']), SLOT)).toBe(false);
  });

  it('is different each time, and valid for one login request in one browser', () => {
    const challenge = issue(1000);
    expect(issue(1000)).not.toBe(challenge);
    expect(buildChallenges(1000).verify(challenge, { ...SLOT, challenge: 'login-2' })).toBe(false);
    expect(buildChallenges(1000).verify(challenge, { ...SLOT, browser: 'browser-2' })).toBe(false);
  });

  it('is refused with a later expiry or in another form', () => {
    const bytes = Buffer.from(issue(1000), 'base64url');
    bytes.writeUIntBE(9_000_000, 16, 6);
    expect(buildChallenges(5000).verify(bytes.toString('base64url'), SLOT)).toBe(false);
    for (const value of ['', 'AAEC', `${issue(1000)}AA`]) expect(buildChallenges(1000).verify(value, SLOT)).toBe(false);
  });
});
