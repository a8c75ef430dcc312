import { describe, expect, it } from '@jest/globals';
import { toDisplayLabel } from './display-label.js';

describe('a label of a provider', () => {
  it.each<[unknown, string | null]>([
    ['  Maria\tMusterfrau\n', 'Maria Musterfrau'],
    ['A\u202Egnp.exe\u2066B', 'Agnp.exeB'],
    ['A\u0000\u001b[31mB', 'A[31mB'],
    ['\u200b\ufeff', null],
    ['', null],
    [7, null],
    [undefined, null],
    [['Maria'], null],
    ['<b>Maria</b>', '<b>Maria</b>'],
    ['\ud800Maria', 'Maria'],
  ])('is one harmless line: %j', (value, label) => {
    expect(toDisplayLabel(value)).toBe(label);
  });

  it('[S-73b] is cut to 200 characters, and no character is split', () => {
    expect(Array.from(toDisplayLabel('😀'.repeat(300)) ?? '')).toHaveLength(200);
    expect(toDisplayLabel('x'.repeat(2_000_000))).toHaveLength(200);
  });
});
