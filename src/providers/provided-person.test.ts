/** Which address of a provider may be used to offer a connection. */
import { describe, expect, it } from '@jest/globals';
import { describeIdentity } from './provided-person.js';

const GOOGLE = 'https://accounts.google.com';

function findAddress(issuer: string, claims: Record<string, unknown>): string | undefined {
  const set = { email: 'maria@people.example', email_verified: true, ...claims };
  return describeIdentity([set], 'id-1', { dialect: 'oidc', issuer, offersConnection: true }).verifiedEmail;
}

describe('[PRV-7] an address that Google has verified, with Google in OIDC_PROVIDERS', () => {
  it('counts only for gmail.com and for a Workspace', () => {
    expect(findAddress('https://id.people.example', {})).toBe('maria@people.example');
    expect(findAddress(GOOGLE, {})).toBeUndefined();
    expect(findAddress(GOOGLE, { hd: null })).toBeUndefined();
    expect(findAddress(GOOGLE, { email: 'maria@gmail.com.people.example' })).toBeUndefined();
    expect(findAddress(GOOGLE, { hd: 'people.example' })).toBe('maria@people.example');
    expect(findAddress(GOOGLE, { email: 'Maria@Gmail.com' })).toBe('Maria@Gmail.com');
    expect(findAddress(GOOGLE, { email: 'maria@gmail.com', email_verified: 'true' })).toBeUndefined();
  });
});
