/**
 * The installation's colours as a stylesheet, because the content security policy forbids inline styles. The
 * configuration has validated the values; they cannot end their declaration. Derived colours are computed here, because
 * older browsers cannot (docs/browsers.md).
 */
import type { Config } from '../../config/config.js';
import { darkened, hexOf, lchOf } from './oklch.js';

export function brandStyles({ brandColour, brandRadius }: Pick<Config['app'], 'brandColour' | 'brandRadius'>): string {
  const radius = brandRadius === undefined ? '' : `:root{--radius:${brandRadius}}`;
  if (brandColour === undefined) return radius;
  const { light, dark } = coloursOf(brandColour);
  return [
    radius,
    `:root{${light}}`,
    // Paper is white.
    `@media screen{[data-theme=dark]{${dark}}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme]){${dark}}}`,
  ].join('');
}

/** The lightness is set here, so that the contrast is enough for every hue (`web/styles/tokens.css` lists the pairs). */
function coloursOf(brand: string): { light: string; dark: string } {
  const { lightness, chroma, hue } = lchOf(brand);
  const shade = (of: number, atMost = chroma) => hexOf({ lightness: of, chroma: Math.min(chroma, atMost), hue });
  return {
    light: declarations(shade(Math.min(lightness, 0.5)), shade(Math.min(lightness, 0.46)), shade(0.95, 0.015)),
    dark: declarations(shade(0.52), shade(0.8, 0.075), shade(0.29, 0.025)),
  };
}

/** @param ink for text and lines */
function declarations(accent: string, ink: string, wash: string): string {
  const hover = darkened(accent, 0.14);
  // 28 % opaque
  const line = `${ink}47`;
  return `--accent:${accent};--accent-hover:${hover};--accent-ink:${ink};--accent-line:${line};--accent-wash:${wash}`;
}
