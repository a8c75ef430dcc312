import { describe, expect, it } from '@jest/globals';
import { splitHidden, toVisibleText } from './visible-text.js';

describe('hidden characters', () => {
  it.each([
    '\u202E',
    '\u2066',
    '\u200B',
    '\u200E',
    '\u061C',
    '\uFEFF',
    '\u0000',
    '\u0007',
    '\u00AD',
    '\u2028',
    '\u3164',
    '\u{E0041}',
  ])('are named: %j', (character) => {
    const name = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
    expect(toVisibleText(`a${character}b`)).toBe(`a[${name}]b`);
    expect(splitHidden(`a${character}b`)).toEqual([
      { text: 'a', isHidden: false },
      { text: name, isHidden: true },
      { text: 'b', isHidden: false },
    ]);
  });

  it.each(['Ayşe Yılmaz', 'نرگس', 'می\u200Cخواهم', '👩\u200D💻', 'Zoë — “x” <b>', ''])('are not found in %j', (text) => {
    expect(toVisibleText(text)).toBe(text);
    expect(splitHidden(text)).toEqual(text === '' ? [] : [{ text, isHidden: false }]);
  });
});
