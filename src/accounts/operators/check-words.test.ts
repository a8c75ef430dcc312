import { describe, expect, it } from '@jest/globals';
import { CHECK_WORDS } from './check-words.js';

describe('the words of help desk checks', () => {
  it('are 512 different words, so that three of them have 2^27 combinations', () => {
    expect(new Set(CHECK_WORDS).size).toBe(512);
    expect(CHECK_WORDS.length ** 3).toBe(2 ** 27);
  });

  it('are short and plain, and none is the beginning of another', () => {
    for (const word of CHECK_WORDS) {
      expect(word).toMatch(/^[a-z]{4,8}$/);
      expect(CHECK_WORDS.filter((other) => other.startsWith(word))).toEqual([word]);
    }
  });
});
