/** Measures the contrast of colours in the form `#rrggbb`, and chooses the colour of a text (WCAG 2.2, "relative luminance" and "contrast ratio"). */

export type Triple = readonly [number, number, number];

/** @returns red, green and blue of linear light, 0 to 1 (IEC 61966-2-1) */
export function toLinearRgb(colour: string): Triple {
  return [toLinear(colour, 1), toLinear(colour, 3), toLinear(colour, 5)];
}

function toLinear(colour: string, start: number): number {
  const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function measureLuminance(colour: string): number {
  const [red, green, blue] = toLinearRgb(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @returns the contrast ratio, 1 to 21 */
export function measureContrast(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [measureLuminance(first), measureLuminance(second)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @returns black or white, whichever has more contrast on the colour (at least 4.58 on any colour) */
export function chooseInk(colour: string): '#000000' | '#ffffff' {
  return measureContrast(colour, '#ffffff') >= measureContrast(colour, '#000000') ? '#ffffff' : '#000000';
}
