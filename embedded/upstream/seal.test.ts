import { describe, expect, it } from '@jest/globals';
import { Seal } from './seal.js';

const seal = new Seal('a-secret-for-this-test');

describe('Seal', () => {
  it('opens what it has sealed, for the same purpose only', () => {
    const value = { subject: 'ünï', list: [1, { a: null }] };
    const text = seal.seal('login_challenge', value, 800);

    expect(seal.open('login_challenge', text)).toEqual(value);
    expect(seal.open('consent_challenge', text)).toBeUndefined();
    expect(new Seal('another-secret-for-this-test').open('login_challenge', text)).toBeUndefined();
  });

  it('writes padded base64url of at least the length that was asked for', () => {
    const lengths = Array.from({ length: 60 }, () => seal.seal('x', {}, 808)).map((text) => {
      expect(text).toMatch(/^[A-Za-z0-9_-]+={0,2}$/);
      expect(text.length % 4).toBe(0);
      return text.length;
    });
    expect(Math.min(...lengths)).toBeGreaterThan(1100);
    expect(Math.max(...lengths)).toBeLessThan(1200);
  });

  it('is padded only sometimes, so that a client that drops the padding fails in a test', () => {
    const ends = new Set(Array.from({ length: 200 }, () => /=*$/.exec(seal.seal('x', {}, 808))?.[0]));
    expect(ends.size).toBeGreaterThan(1);
  });

  it('refuses every other spelling of the same bytes', () => {
    const padded = Array.from({ length: 200 }, () => seal.seal('x', {}, 808)).find((text) => text.endsWith('='));
    if (padded === undefined) throw new Error('none of 200 was padded');

    expect(seal.open('x', padded.replace(/=+$/, ''))).toBeUndefined();
    expect(seal.open('x', `${padded} `)).toBeUndefined();
    expect(seal.open('x', padded.replaceAll('-', '+').replaceAll('_', '/'))).toEqual(/[-_]/.test(padded) ? undefined : {});
  });

  it('refuses a text with one changed character, wherever it is', () => {
    const text = seal.seal('x', { a: 1 });
    for (let at = 0; at < text.length; at++) {
      if (text[at] === '=') continue;
      const other = text[at] === 'A' ? 'B' : 'A';
      expect(seal.open('x', text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
    }
  });

  it.each(['', 'x', '=', 'AAAA', 'A'.repeat(5000), '\u0000', 'ÄÖÜ'])('refuses %j', (text) => {
    expect(seal.open('x', text)).toBeUndefined();
  });
});
