import { describe, expect, it } from '@jest/globals';
import { cutTo, padTo, sanitize, sanitizeJson, measureWidth } from './shown-text.js';

describe('text on a terminal', () => {
  it.each([
    ['abc', 3],
    ['Ärger', 5],
    ['e\u0301', 1],
    ['山田', 4],
    ['ﾔﾏﾀﾞ', 4],
    ['한글', 4],
    ['😀', 2],
    ['a\u200db', 2],
    ['', 0],
  ])('%j has a width of %d columns', (text, width) => {
    expect(measureWidth(text)).toBe(width);
  });

  it('is cut between letters, fits with an ellipsis, and is padded to a width', () => {
    expect(cutTo('abcdef', 6)).toBe('abcdef');
    expect(cutTo('abcdefg', 6)).toBe('abcde…');
    expect(cutTo('山田太郎', 6)).toBe('山田…');
    expect(cutTo('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    expect(padTo('山', 4)).toBe('山  ');
  });

  it('cannot move the cursor, change colours or reorder text, and JSON keeps its value', () => {
    expect(sanitize('a\u001b[2J\u009b1m\r\nb\u202ec\u2066d\ud800')).toBe('a\uFFFD[2J\uFFFD1m\uFFFD\uFFFDb\uFFFDc\uFFFDd\uFFFD');
    const value = { name: 'a\u001b[2J\u009b1m\u202eb' };
    expect(sanitizeJson(value)).toMatch(/^[\n -~]+$/);
    expect(JSON.parse(sanitizeJson(value))).toEqual(value);
  });
});
