/** Checks which states and combinations a sample of a matrix contains. */
import { describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import { FIXTURES } from '../../web/fixtures/index.js';
import { matrix } from '../support/matrix.js';

const AXES = { locale: SHIPPED.locales, theme: ['light', 'dark'], width: [320, 1280] } as const;

describe('a matrix of tests', () => {
  it('has as a sample each state once, and every combination with some state', () => {
    const sample = matrix(FIXTURES, AXES, false);
    expect(sample.map(({ name }) => name)).toEqual(FIXTURES.map(({ name }) => name));
    const seen = new Set(sample.map(({ locale, theme, width }) => [locale, theme, width].join()));
    expect(seen.size).toBe(SHIPPED.locales.length * 2 * 2);
  });

  it('has in full each state in every combination', () => {
    expect(matrix([{ n: 1 }, { n: 2 }], { theme: ['light', 'dark'] }, true)).toEqual([
      { n: 1, theme: 'light' },
      { n: 1, theme: 'dark' },
      { n: 2, theme: 'light' },
      { n: 2, theme: 'dark' },
    ]);
  });

  it('refuses fewer states than combinations, because some combinations would be missing', () => {
    expect(() => matrix([{ n: 1 }], { theme: ['light', 'dark'] })).toThrow('1 states do not show 2 combinations.');
  });
});
