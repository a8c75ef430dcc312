/** Tests which addresses may sign up according to the lists of domains. */
import { describe, expect, it } from '@jest/globals';
import { isDomainAllowed } from './sign-up.js';

const allows = (email: string, domains: readonly string[], deniedDomains: readonly string[] = []): boolean =>
  isDomainAllowed(email, { fields: [], domains, deniedDomains, codesPerHour: 1 });

describe('[JOI-8] the lists of domains for the sign-up', () => {
  it('allow every domain if they are empty, and include subdomains and other spellings', () => {
    expect(allows('nele@anything.example', [])).toBe(true);
    for (const email of ['nele@Bücher.example', 'nele@xn--bcher-kva.example', 'nele@mail.BÜCHER.example']) {
      expect(allows(email, ['xn--bcher-kva.example'])).toBe(true);
      expect(allows(email, [], ['xn--bcher-kva.example'])).toBe(false);
      expect(allows(email, ['other.example'])).toBe(false);
    }
  });

  it('do not match a part of a name, and a denied subdomain is stronger than its allowed domain', () => {
    expect(allows('nele@notspam.example', [], ['spam.example'])).toBe(true);
    expect(allows('nele@partners.corp.example', ['corp.example'], ['partners.corp.example'])).toBe(false);
    expect(allows('nele@corp.example', ['corp.example'], ['partners.corp.example'])).toBe(true);
  });

  it('refuse a domain that cannot be compared with a list', () => {
    for (const email of ['nele@spam.example.', 'nele@spam', 'nele', 'nele@[192.0.2.1]']) {
      expect(allows(email, [], ['other.example'])).toBe(false);
      expect(allows(email, ['spam.example'])).toBe(false);
    }
  });
});
