import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { contrast } from '../../contract/colour.js';
import { brandStyles } from './brand.js';
import { hexOf, lchOf } from './oklch.js';

const TOKENS = readFileSync('web/styles/tokens.css', 'utf8');

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
