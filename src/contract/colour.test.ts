import { describe, expect, it } from '@jest/globals';
import { measureContrast, chooseInk } from './colour.js';

describe('measureContrast', () => {
  it('returns the contrast ratio of WCAG', () => {
    expect(measureContrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(measureContrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(measureContrast('#14513f', '#14513f')).toBe(1);
  });
});

describe('chooseInk', () => {
  it.each([
    ['#ffd24a', '#000000'],
    ['#14513f', '#ffffff'],
    ['#000000', '#ffffff'],
    ['#ffffff', '#000000'],
  ])('chooses, on %s, %s', (colour, ink) => expect(chooseInk(colour)).toBe(ink));

  it('chooses, on every grey, a colour that is readable', () => {
    for (let grey = 0; grey < 256; grey++) {
      const colour = `#${grey.toString(16).padStart(2, '0').repeat(3)}`;
      expect(measureContrast(colour, chooseInk(colour))).toBeGreaterThanOrEqual(4.5);
    }
  });
});
