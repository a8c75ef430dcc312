/** Converts between `#rrggbb` and OKLCH (CSS Color Module Level 4). */
import { toLinearRgb, type Triple } from '../../contract/colour.js';

export interface Lch {
  /** 0 is black, 1 is white. */
  lightness: number;
  chroma: number;
  /** In radians. */
  hue: number;
}

type Matrix = readonly [Triple, Triple, Triple];

const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const CONES_TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const LAB_TO_CONES: Matrix = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const FROM_CONES: Matrix = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];

/** @param hex `#rrggbb` */
export function toLch(hex: string): Lch {
  const cones = multiply(TO_CONES, toLinearRgb(hex));
  const [lightness, a, b] = multiply(
    CONES_TO_LAB,
    toTriple((index) => Math.cbrt(cones[index])),
  );
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}

/** Keeps as much of the chroma as sRGB can show at this lightness and hue. */
export function toHex(lch: Lch): string {
  let { chroma } = lch;
  while (!isInside(toRgb({ ...lch, chroma }))) chroma *= 0.99;
  const bytes = toRgb({ ...lch, chroma }).map((value) => Math.round(encodeGamma(value) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function toRgb({ lightness, chroma, hue }: Lch): Triple {
  const cones = multiply(LAB_TO_CONES, [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]);
  return multiply(
    FROM_CONES,
    toTriple((index) => cones[index] ** 3),
  );
}

/** A value that rounding brings back into the range is treated as inside. */
const isInside = (rgb: Triple): boolean => rgb.every((value) => value > -0.0001 && value < 1.0001);

/** Mixes the colour with black. @param share the share of black */
export function darken(hex: string, share: number): string {
  const { lightness, chroma, hue } = toLch(hex);
  return toHex({ lightness: lightness * (1 - share), chroma: chroma * (1 - share), hue });
}

/** Mixes the colour with white. @param share the share of white */
export function lighten(hex: string, share: number): string {
  const { lightness, chroma, hue } = toLch(hex);
  return toHex({ lightness: lightness + (1 - lightness) * share, chroma: chroma * (1 - share), hue });
}

const toTriple = (getValue: (index: 0 | 1 | 2) => number): Triple => [getValue(0), getValue(1), getValue(2)];

const multiply = (matrix: Matrix, [x, y, z]: Triple): Triple =>
  toTriple((row) => matrix[row][0] * x + matrix[row][1] * y + matrix[row][2] * z);

function encodeGamma(value: number): number {
  const light = Math.min(1, Math.max(0, value));
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}
