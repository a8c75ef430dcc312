import { describe, expect, it } from '@jest/globals';
import { contrast, chooseInk } from './colour.js';

describe('contrast', () => {
  it('is the contrast ratio of WCAG', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#14513f', '#14513f')).toBe(1);
  });
});

describe('chooseInk', () => {
  it.each([
    ['#ffd24a', '#000000'],
    ['#14513f', '#ffffff'],
    ['#000000', '#ffffff'],
    ['#ffffff', '#000000'],
  ])('chooses, on %s, %s', (colour, ink) => expect(chooseInk(colour)).toBe(ink));

  it('chooses a colour that is readable on every grey', () => {
    for (let grey = 0; grey < 256; grey++) {
      const colour = `#${grey.toString(16).padStart(2, '0').repeat(3)}`;
      expect(contrast(colour, chooseInk(colour))).toBeGreaterThanOrEqual(4.5);
    }
  });
});
