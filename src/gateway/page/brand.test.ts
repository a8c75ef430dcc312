import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { brandStyles } from './brand.js';
import { hexOf, lchOf } from './oklch.js';

const TOKENS = readFileSync('web/styles/tokens.css', 'utf8');

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The light set, and the dark one each time that it is named. */
const setsOf = (brandColour: string) => brandStyles({ brandColour }).split('@media') as [string, string, string];

const of = (styles: string, name: string) => new RegExp(`${name}:(#\\w+)`).exec(styles)?.[1] ?? '';
const token = (name: string) => /(#\w+), (#\w+)/.exec(TOKENS.slice(TOKENS.indexOf(`--${name}:`)))?.slice(1) ?? [];

describe('the colours of an installation', () => {
  it('are those of the stylesheet for its own colour', () => {
    const [light, dark] = setsOf('#14513f');
    for (const name of ['accent', 'accent-hover', 'accent-ink', 'accent-line', 'accent-wash'])
      expect([name, of(light, `--${name}`), of(dark, `--${name}`)]).toEqual([name, ...token(name)]);
  });

  const HUES = ['#ff0000', '#ffee00', '#00ff00', '#00ffff', '#0000ff', '#ff00ff', '#000000', '#ffffff', '#808080', '#1a5fb4'];

  it.each(HUES)('%s: every text has enough contrast', (brandColour) => {
    for (const [at, styles] of setsOf(brandColour).slice(0, 2).entries()) {
      const [ink, wash] = [of(styles, '--accent-ink'), of(styles, '--accent-wash')];
      const pairs = [
        ['#ffffff', of(styles, '--accent')],
        ['#ffffff', of(styles, '--accent-hover')],
        [ink, wash],
        [token('text')[at]!, wash],
        ...['surface', 'bg', 'sunken'].map((name) => [ink, token(name)[at]!] as const),
      ] as const;
      for (const [text, ground] of pairs) expect([text, ground, contrast(text, ground) >= 4.5]).toEqual([text, ground, true]);
    }
  });

  it('are dark where the installation or the system is, but not on paper', () => {
    const [light, fixed, system] = setsOf('#1a5fb4');
    expect(light).toMatch(/^:root\{--accent:/);
    expect(fixed).toMatch(/^ screen\{\[data-theme=dark\]\{--accent:/);
    expect(system).toMatch(/^ screen and \(prefers-color-scheme:dark\)\{:root:not\(\[data-theme\]\)\{--accent:/);
    expect([of(system, '--accent'), of(light, '--accent')]).toEqual([of(fixed, '--accent'), '#1a5fb4']);
  });

  it('without a colour there is only the radius, or nothing', () => {
    expect(brandStyles({ brandRadius: '0' })).toBe(':root{--radius:0}');
    expect(brandStyles({})).toBe('');
  });

  it.each(HUES)('%s comes back from OKLCH', (hex) => expect(hexOf(lchOf(hex))).toBe(hex));
});
