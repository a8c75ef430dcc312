import { describe, expect, it } from '@jest/globals';
import { Seal } from './seal.js';

const seal = new Seal('a-secret-for-this-test');

describe('Seal', () => {
  it('opens a sealed value, but only for the same purpose', () => {
    const value = { subject: 'ünï', list: [1, { a: null }] };
    const text = seal.seal('login_challenge', value, 800);

    expect(seal.open('login_challenge', text)).toEqual(value);
    expect(seal.open('consent_challenge', text)).toBeUndefined();
    expect(new Seal('another-secret-for-this-test').open('login_challenge', text)).toBeUndefined();
  });

  it('writes padded base64url of at least the requested length', () => {
    const lengths = Array.from({ length: 60 }, () => seal.seal('x', {}, 808)).map((text) => {
      expect(text).toMatch(/^[A-Za-z0-9_-]+={0,2}$/);
      expect(text.length % 4).toBe(0);
      return text.length;
    });
    expect(Math.min(...lengths)).toBeGreaterThan(1100);
    expect(Math.max(...lengths)).toBeLessThan(1200);
  });

  it('adds base64 padding of each length and sometimes none, so that tests detect a gateway that drops the padding', () => {
    const ends = new Set(Array.from({ length: 200 }, () => /=*$/.exec(seal.seal('x', {}, 808))?.[0]));
    expect([...ends].sort()).toEqual(['', '=', '==']);
  });

  it('refuses every other encoding of the same bytes', () => {
    const paddedText = Array.from({ length: 200 }, () => seal.seal('x', {}, 808)).find((text) => text.endsWith('='));
    if (paddedText === undefined) throw new Error('None of the 200 texts has padding.');

    expect(seal.open('x', paddedText.replace(/=+$/, ''))).toBeUndefined();
    expect(seal.open('x', `${paddedText} `)).toBeUndefined();
    expect(seal.open('x', paddedText.replaceAll('-', '+').replaceAll('_', '/'))).toEqual(
      /[-_]/.test(paddedText) ? undefined : {},
    );
  });

  it('refuses a text with a changed character at any position', () => {
    const text = seal.seal('x', { a: 1 });
    for (let index = 0; index < text.length; index++) {
      if (text[index] === '=') continue;
      const otherCharacter = text[index] === 'A' ? 'B' : 'A';
      expect(seal.open('x', text.slice(0, index) + otherCharacter + text.slice(index + 1))).toBeUndefined();
    }
  });

  it.each(['', 'x', '=', 'AAAA', 'A'.repeat(5000), '\u0000', 'ÄÖÜ'])('refuses %j', (text) => {
    expect(seal.open('x', text)).toBeUndefined();
  });
});
