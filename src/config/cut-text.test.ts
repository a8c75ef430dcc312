import { describe, expect, it } from '@jest/globals';
import { cutText, shortenText } from './cut-text.js';

describe('cutting a text', () => {
  it('keeps a text that is short enough', () => {
    expect(cutText('four', 4)).toBe('four');
    expect(cutText('a😀', 3)).toBe('a😀');
    expect(shortenText('four', 4)).toBe('four');
  });

  it('cuts before a character that does not fit as a whole', () => {
    expect(cutText('a😀b', 2)).toBe('a');
    expect(cutText('a😀b', 3)).toBe('a😀');
    expect(shortenText('a😀b', 2)).toBe('a…');
  });

  it('does not change half of a surrogate pair that stands alone in the text', () => {
    expect(cutText('a\ud83db', 2)).toBe('a\ud83d');
  });
});
