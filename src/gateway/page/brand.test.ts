import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { measureContrast } from '../../contract/colour.js';
import { DARK_THEME, LIGHT_THEME, buildBrandStyles } from './brand.js';
import { toHex, toLch } from './oklch.js';

const TOKENS = readFileSync('web/styles/tokens.css', 'utf8');

/** The light declarations, and the dark ones twice: for a fixed theme and for the theme of the system. */
const buildSets = (brandColour: string) => buildBrandStyles({ brandColour }).split('@media') as [string, string, string];

const readColour = (styles: string, name: string) => new RegExp(`--${name}:(#\\w+|transparent)`).exec(styles)?.[1] ?? '';
const readToken = (name: string) => /(#\w+), (#\w+)/.exec(TOKENS.slice(TOKENS.indexOf(`--${name}:`)))?.slice(1) ?? [];

const SAMPLE_COLOURS = [
  '#ff0000',
  '#ffee00',
  '#00ff00',
  '#00ffff',
  '#0000ff',
  '#ff00ff',
  '#000000',
  '#ffffff',
  '#808080',
  '#fbd5e0',
];
/** Every hue, from nearly black to nearly white, grey and strong. */
const COLOUR_GRID = Array.from({ length: 36 }, (_, index) => (index * Math.PI) / 18).flatMap((hue) =>
  [0.05, 0.2, 0.35, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9, 0.98].flatMap((lightness) =>
    [0.02, 0.12, 0.3].map((chroma) => toHex({ lightness, chroma, hue })),
  ),
);

/** @returns the pairs of colours with too little contrast, a changed fill, and a fill that does not change under the pointer */
function findFaults(brandColour: string): string[] {
  return [LIGHT_THEME, DARK_THEME].flatMap(({ name: theme, backgrounds }, index) => {
    const styles = buildSets(brandColour)[index as 0 | 1];
    const [fill, hover, edge, text] = ['accent', 'accent-hover', 'accent-edge', 'on-accent'].map((name) =>
      readColour(styles, name),
    );
    const [ink, wash] = [readColour(styles, 'accent-ink'), readColour(styles, 'accent-wash')];
    const findLowContrast = (colour = '', background = '', minimum: number) =>
      measureContrast(colour, background) >= minimum ? [] : [`${brandColour} ${theme}: ${colour} on ${background}`];
    return [
      ...[fill, hover].flatMap((background) => findLowContrast(text, background, 4.5)),
      ...[...backgrounds, wash].flatMap((background) => findLowContrast(ink, background, 4.5)),
      ...findLowContrast(readToken('text')[index], wash, 4.5),
      ...backgrounds.flatMap((background) => findLowContrast(edge === 'transparent' ? fill : edge, background, 3)),
      ...(fill === brandColour ? [] : [`${brandColour} is not the fill`]),
      ...(hover === fill ? [`${brandColour}: nothing changes under the pointer`] : []),
    ];
  });
}

describe('[LKS-1] the colours of an installation', () => {
  it('are equal to the colours of the stylesheet for the same brand colour', () => {
    const [light, dark] = buildSets('#14513f');
    for (const name of ['accent-ink', 'accent-line', 'accent-wash'])
      expect([name, readColour(light, name), readColour(dark, name)]).toEqual([name, ...readToken(name)]);
    for (const name of ['accent', 'accent-hover']) expect([name, readColour(light, name)]).toEqual([name, readToken(name)[0]]);
    expect([readColour(light, 'accent-edge'), readColour(light, 'on-accent')]).toEqual(['transparent', '#ffffff']);
  });

  it('are computed for the backgrounds of the stylesheet', () => {
    for (const [index, name] of ['surface', 'bg', 'sunken'].entries())
      expect([name, LIGHT_THEME.backgrounds[index], DARK_THEME.backgrounds[index]]).toEqual([name, ...readToken(name)]);
  });

  it.each(SAMPLE_COLOURS)('%s is the unchanged fill, with enough contrast for texts and edges in both themes', (colour) =>
    expect(findFaults(colour)).toEqual([]),
  );

  it('strong and pale colours of every hue have enough contrast too', () => expect(COLOUR_GRID.flatMap(findFaults)).toEqual([]));

  it.each([
    ['#ffd24a', { light: /^#/, dark: /^transparent$/, text: '#000000' }],
    ['#12213f', { light: /^transparent$/, dark: /^#/, text: '#ffffff' }],
    ['#1a7f5a', { light: /^transparent$/, dark: /^transparent$/, text: '#ffffff' }],
  ])('%s has an edge only on pages from which it hardly differs', (colour, { light, dark, text }) => {
    const [lightStyles, darkStyles] = buildSets(colour);
    expect(readColour(lightStyles, 'accent-edge')).toMatch(light);
    expect(readColour(darkStyles, 'accent-edge')).toMatch(dark);
    expect(readColour(lightStyles, 'on-accent')).toBe(text);
  });

  it.each([
    ['#12213f', 'darker', 'lighter'],
    ['#ffd24a', 'darker', 'darker'],
    ['#1a7f5a', 'darker', 'darker'],
  ])('%s gets %s under the pointer on light pages, %s on dark ones', (colour, light, dark) => {
    const directions = buildSets(colour)
      .slice(0, 2)
      .map((set) => (toLch(readColour(set, 'accent-hover')).lightness > toLch(colour).lightness ? 'lighter' : 'darker'));
    expect(directions).toEqual([light, dark]);
  });

  it.each(['#ff0000', '#ffd24a', '#7a4f00'])(
    '%s makes information grey, because in this hue it would look like an error or a warning',
    (colour) => {
      for (const set of buildSets(colour))
        expect(set).toContain(';--info:var(--muted);--info-line:var(--rule);--info-wash:var(--sunken)');
    },
  );

  it.each(['#14513f', '#0000ff', '#b000b0', '#b3005e', '#808080', '#000000'])('%s gives information its hue', (colour) =>
    expect(buildBrandStyles({ brandColour: colour })).not.toContain('--info'),
  );

  it('can be different on dark pages', () => {
    const [light, dark] = buildBrandStyles({ brandColour: '#12213f', brandColourDark: '#8fb4ff' }).split('@media');
    expect([readColour(light ?? '', 'accent'), readColour(dark ?? '', 'accent'), readColour(dark ?? '', 'on-accent')]).toEqual([
      '#12213f',
      '#8fb4ff',
      '#000000',
    ]);
  });

  it('are those for dark pages if the theme of the installation or of the system is dark, but not in print', () => {
    const [light, fixedTheme, systemTheme] = buildSets('#1a5fb4');
    expect(light).toMatch(/^:root\{--accent:/);
    expect(fixedTheme).toMatch(/^ screen\{\[data-theme=dark\]\{--accent:/);
    expect(systemTheme).toMatch(/^ screen and \(prefers-color-scheme:dark\)\{:root:not\(\[data-theme\]\)\{--accent:/);
    expect(readColour(systemTheme, 'accent-ink')).toBe(readColour(fixedTheme, 'accent-ink'));
  });

  it('are absent without a brand colour; the stylesheet then has only the radius, or is empty', () => {
    expect(buildBrandStyles({ brandRadius: '0' })).toBe(':root{--radius:0}');
    expect(buildBrandStyles({})).toBe('');
  });

  it.each(SAMPLE_COLOURS)('%s is unchanged after the conversion to OKLCH and back', (hex) => expect(toHex(toLch(hex))).toBe(hex));
});
