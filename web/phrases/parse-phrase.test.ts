import { describe, expect, it } from '@jest/globals';
import { builtInPhrases } from './built-in-phrases.js';
import { parsePhrase, placeholders, plainText } from './parse-phrase.js';
import { phrase } from './phrase.js';

describe('phrases', () => {
  it('cuts text, values and marks', () => {
    expect(parsePhrase('Hello <name/>, read <policy>the <kind/> policy</policy>.', { name: 'Maria', kind: 'short' })).toEqual([
      { kind: 'text', text: 'Hello ' },
      { kind: 'value', text: 'Maria' },
      { kind: 'text', text: ', read ' },
      {
        kind: 'mark',
        name: 'policy',
        parts: [
          { kind: 'text', text: 'the ' },
          { kind: 'value', text: 'short' },
          { kind: 'text', text: ' policy' },
        ],
      },
      { kind: 'text', text: '.' },
    ]);
  });

  it('[I18-4] leaves values as they are: not escaped, not cut, not translated', () => {
    const hostile = `<way>x</way> <client/> {{client}} $t(login.heading) & "O'Brien" <b>`;
    const said = builtInPhrases('en').text(phrase('consent.heading', { client: hostile }));
    expect(said).toBe(`${hostile} would like to access your account`);
  });

  it('gives i18next the count itself, and names in place of other values', () => {
    expect(placeholders({ count: 2, client: 'Portal' })).toEqual({ count: 2, client: '<client/>' });
  });

  it('reads a phrase without marks', () => {
    expect(plainText(parsePhrase('<to>Sign in to</to> <client/>', { client: 'Portal' }))).toBe('Sign in to Portal');
  });

  it('[I18-1] speaks both languages', () => {
    expect(builtInPhrases('de').text('login.submit')).toBe('Anmelden');
    expect(builtInPhrases('en').text('login.submit')).toBe('Sign in');
  });
});
