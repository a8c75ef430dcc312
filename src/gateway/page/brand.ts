/**
 * The installation's colours as a stylesheet, because the content security policy forbids inline styles. The
 * configuration has validated the values; they cannot end their declaration. Derived colours are computed here, because
 * older browsers cannot (docs/browsers.md).
 */
import type { Config } from '../../config/config.js';
import { darkened, hexOf, lchOf } from './oklch.js';

type Look = Pick<Config['app'], 'brandColour' | 'brandRadius' | 'theme'>;

export function brandStyles({ brandColour, brandRadius, theme }: Look): string {
  const radius = brandRadius === undefined ? [] : [`--radius:${brandRadius}`];
  const colours = brandColour === undefined ? { light: [], dark: [] } : coloursOf(brandColour);
  const always = [...radius, ...(theme === 'dark' ? colours.dark : colours.light)];
  const dark = theme === 'system' ? colours.dark : [];
  return [
    always.length > 0 ? `:root{${always.join(';')}}` : '',
    // Paper is white.
    dark.length > 0 ? `@media screen and (prefers-color-scheme:dark){:root{${dark.join(';')}}}` : '',
  ].join('');
}

/** The lightness is set here, so that the contrast is enough for every hue (`web/styles/tokens.css` lists the pairs). */
function coloursOf(brand: string): { light: string[]; dark: string[] } {
  const { lightness, chroma, hue } = lchOf(brand);
  const shade = (of: number, atMost = chroma) => hexOf({ lightness: of, chroma: Math.min(chroma, atMost), hue });
  return {
    light: declarations(shade(Math.min(lightness, 0.5)), shade(Math.min(lightness, 0.46)), shade(0.95, 0.015)),
    dark: declarations(shade(0.52), shade(0.8, 0.075), shade(0.29, 0.025)),
  };
}

/** @param ink for text and lines */
function declarations(accent: string, ink: string, wash: string): string[] {
  const hover = darkened(accent, 0.14);
  // 28 % opaque
  return [
    `--accent:${accent}`,
    `--accent-hover:${hover}`,
    `--accent-ink:${ink}`,
    `--accent-line:${ink}47`,
    `--accent-wash:${wash}`,
  ];
}
