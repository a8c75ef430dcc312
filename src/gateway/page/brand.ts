/**
 * Writes the colours and the radius of an installation or an app as a stylesheet, because the content security policy forbids
 * inline styles. The values have been validated; they cannot end their declaration. Derived colours are computed on the server,
 * because older browsers cannot compute them (docs/browsers.md).
 */
import type { Brand } from '../../config/look-settings.js';
import { measureContrast, chooseInk } from '../../contract/colour.js';
import { darken, toHex, toLch, lighten } from './oklch.js';

interface Theme {
  name: 'light' | 'dark';
  /** The backgrounds of the accent: surface, bg and sunken (`web/styles/tokens.css`). */
  backgrounds: readonly string[];
}

export const LIGHT_THEME: Theme = { name: 'light', backgrounds: ['#ffffff', '#f4f2ee', '#f9f7f4'] };
export const DARK_THEME: Theme = { name: 'dark', backgrounds: ['#1e1c1a', '#151412', '#262421'] };

/** Minimum contrasts of a text and of the edge of a control (WCAG 2.2). */
const TEXT_CONTRAST = 4.5;
const EDGE_CONTRAST = 3;

export function buildBrandStyles({ brandColour, brandColourDark = brandColour, brandRadius }: Brand): string {
  const radius = brandRadius === undefined ? '' : `:root{--radius:${brandRadius}}`;
  if (brandColour === undefined || brandColourDark === undefined) return radius;
  const dark = writeDeclarations(brandColourDark, DARK_THEME);
  return [
    radius,
    `:root{${writeDeclarations(brandColour, LIGHT_THEME)}}`,
    // The dark colours are not for print, because paper is white.
    `@media screen{[data-theme=dark]{${dark}}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme]){${dark}}}`,
  ].join('');
}

/** The fill is the unchanged colour of the brand. */
function writeDeclarations(fill: string, theme: Theme): string {
  const { ink, wash } = toShades(fill, theme);
  // 28 % opaque
  const line = `${ink}47`;
  return [
    `--accent:${fill};--accent-hover:${toHover(fill, theme)};--accent-edge:${toEdge(fill, theme)};--on-accent:${chooseInk(fill)}`,
    `--accent-ink:${ink};--accent-line:${line};--accent-wash:${wash}`,
    ...(isAlarming(fill) ? ['--info:var(--muted);--info-line:var(--rule);--info-wash:var(--sunken)'] : []),
  ].join(';');
}

/** Whether information in this hue would look like an error or a warning; it is then grey. */
function isAlarming(fill: string): boolean {
  const { chroma, hue } = toLch(fill);
  const degrees = ((hue * 180) / Math.PI + 360) % 360;
  return chroma > 0.03 && degrees > 15 && degrees < 115;
}

/**
 * `ink` is for texts and lines, `wash` a background for texts. The lightness is fixed, or limited for the ink of light pages, so that the
 * contrast is enough for every hue.
 */
function toShades(fill: string, { name }: Theme): { ink: string; wash: string } {
  const { lightness, chroma, hue } = toLch(fill);
  const shade = (level: number, maxChroma = chroma) => toHex({ lightness: level, chroma: Math.min(chroma, maxChroma), hue });
  return name === 'light'
    ? { ink: shade(Math.min(lightness, 0.46)), wash: shade(0.95, 0.015) }
    : { ink: shade(0.8, 0.075), wash: shade(0.29, 0.025) };
}

/**
 * A dark fill on a dark page gets lighter, so that it is easier to see. Every other fill gets darker; a light one only a little,
 * because a dark yellow is brown. If the change could hardly be seen, or the text could no longer be read, the fill changes the other way.
 */
function toHover(fill: string, { name }: Theme): string {
  const ink = chooseInk(fill);
  const lighter = lighten(fill, 0.25);
  const darker = darken(fill, ink === '#000000' ? 0.06 : 0.14);
  const [preferredFill, otherFill] = name === 'dark' && ink === '#ffffff' ? [lighter, darker] : [darker, lighter];
  const isVisibleChange = Math.abs(toLch(fill).lightness - toLch(preferredFill).lightness) > 0.03;
  return isVisibleChange && measureContrast(preferredFill, ink) >= TEXT_CONTRAST ? preferredFill : otherFill;
}

/** The contrasts of a fill in a theme. */
export interface FillContrast {
  /** Colour of the text on the fill. */
  ink: string;
  /** Contrast of the text with the fill. */
  textContrast: number;
  /** Lowest contrast of the fill with the backgrounds of the theme. */
  pageContrast: number;
  hasEdge: boolean;
}

export function measureFill(fill: string, theme: Theme): FillContrast {
  const ink = chooseInk(fill);
  const pageContrast = Math.min(...theme.backgrounds.map((background) => measureContrast(fill, background)));
  return { ink, textContrast: measureContrast(fill, ink), pageContrast, hasEdge: toEdge(fill, theme) !== 'transparent' };
}

/** The line around a fill. A fill that hardly differs from the page gets a line in its hue that has enough contrast. */
function toEdge(fill: string, { name, backgrounds }: Theme): string {
  const isVisible = (colour: string): boolean =>
    backgrounds.every((background) => measureContrast(colour, background) >= EDGE_CONTRAST);
  if (isVisible(fill)) return 'transparent';
  const lch = toLch(fill);
  const step = name === 'light' ? -0.01 : 0.01;
  let edge = fill;
  for (let lightness = lch.lightness; !isVisible(edge) && lightness >= 0 && lightness <= 1; lightness += step) {
    edge = toHex({ ...lch, lightness });
  }
  return edge;
}
