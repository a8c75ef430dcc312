import { describe, expect, it } from '@jest/globals';
import { checkEmail, checkInstant, checkLanguage, checkName, checkPicture, toEmailKey } from './fields.js';
import { AccountFieldInvalid } from './account.errors.js';

function describeResult(check: () => unknown): string {
  try {
    return `accepted ${String(check())}`;
  } catch (error) {
    if (error instanceof AccountFieldInvalid) return `${error.field} ${error.code}`;
    throw error;
  }
}

describe('account fields', () => {
  it.each([['anna@example.org'], ['anna+tag@sub.example.org'], ["o'neill_x@example.co"], ['anna@müller.example']])(
    'accepts the e-mail address %s',
    (email) => {
      expect(checkEmail(email)).toBe(email);
    },
  );

  it.each([
    ['', 'email missing'],
    ['anna', 'email format'],
    ['anna@', 'email format'],
    ['@example.org', 'email format'],
    ['root@localhost', 'email format'],
    ['anna@org', 'email format'],
    ['anna@example.', 'email format'],
    ['a b@example.org', 'email format'],
    ['"a@evil"@example.org', 'email format'],
    ['anna@example.org,eve@evil.example', 'email format'],
    // Parsers of host names end the domain at these characters, so it would be read as example.org.
    ['anna@example.org/.evil.example', 'email format'],
    ['anna@example.org\\.evil.example', 'email format'],
    ['anna@example.org?.evil.example', 'email format'],
    ['anna@example.org#.evil.example', 'email format'],
    ['anna@example.org:25', 'email format'],
    ['anna@ex%61mple.org', 'email format'],
    ['anna@example.org\uFF0F.evil.example', 'email format'],
    ['anna@exam_ple.org', 'email format'],
    ['anna@-example.org', 'email format'],
    ['anna..b@example.org', 'email format'],
    ['anna@example.org\r\nBcc: eve@evil.example', 'email characters'],
    ['anna\u0000@example.org', 'email characters'],
    ['anna@exam\u200Bple.org', 'email format'],
    [`${'a'.repeat(65)}@example.org`, 'email format'],
    [`a@${'a.'.repeat(130)}org`, 'email too-long'],
    ['x'.repeat(100_000), 'email too-long'],
  ])('refuses the e-mail address %j', (email, expected) => {
    expect(describeResult(() => checkEmail(email))).toBe(expected);
  });

  it('gives an address with a malformed domain a key that no valid address has', () => {
    expect(toEmailKey('anna@example.org/.evil.example')).toBe('anna@');
  });

  it('treats two spellings of an address as equal', () => {
    expect(toEmailKey('Anna@MÜLLER.example')).toBe(toEmailKey('anna@xn--mller-kva.example'));
  });

  it.each([
    ['Anna Schmidt', 'accepted Anna Schmidt'],
    [' Anna ', 'accepted Anna'],
    ['', 'displayName missing'],
    ['Anna\nSchmidt', 'displayName characters'],
    ['Anna \u202Eeve', 'displayName characters'],
    ['\uD800', 'displayName characters'],
    ['😀'.repeat(128), `accepted ${'😀'.repeat(128)}`],
    ['😀'.repeat(129), 'displayName too-long'],
  ])('checks the display name %j: %s', (name, expected) => {
    expect(describeResult(() => checkName('displayName', name))).toBe(expected);
  });

  it.each([
    ['https://example.org/a.png', 'accepted https://example.org/a.png'],
    ['javascript:alert(1)', 'picture format'],
    ['JaVaScRiPt:alert(1)', 'picture format'],
    ['data:image/png;base64,AA', 'picture format'],
    ['//evil.example/a.png', 'picture format'],
    ['https://user:pass@example.org/', 'picture format'],
    ['java\tscript:alert(1)', 'picture characters'],
    [`https://example.org/${'a'.repeat(2048)}`, 'picture too-long'],
    [`https://example.org/${'ä'.repeat(1024)}`, 'picture too-long'],
  ])('checks the picture address %j: %s', (address, expected) => {
    expect(describeResult(() => checkPicture(address))).toBe(expected);
  });

  it.each(['german', 'xx', 'de_DE', '', '<b>', 'de-'])('[I18-6] refuses %j as a language', (tag) => {
    expect(describeResult(() => checkLanguage(tag))).toBe('language format');
  });

  it('[I18-6] accepts a language tag and returns its canonical form', () => {
    expect([checkLanguage('de'), checkLanguage('fr'), checkLanguage('pt-br')]).toEqual(['de', 'fr', 'pt-BR']);
  });

  it.each(['2019-02-30T08:00:00Z', '2019-04-31T08:00:00+02:00', '2019-02-28T25:00:00Z', '2019-02-28'])(
    'refuses the time %s',
    (time) => {
      expect(describeResult(() => checkInstant('createdAt', time))).toBe('createdAt format');
    },
  );

  it('accepts a time of which the day is another day in UTC', () => {
    expect(checkInstant('createdAt', '2020-02-29T23:30:00-02:00').toISOString()).toBe('2020-03-01T01:30:00.000Z');
  });

  it('refuses an e-mail address that is not a string', () => {
    expect(describeResult(() => checkEmail(['a@b'] as unknown as string))).toBe('email format');
  });
});
