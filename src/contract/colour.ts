/** Contrast of colours, `#rrggbb` (WCAG 2.2, "relative luminance" and "contrast ratio"). */

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @returns 1 to 21 */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @returns black or white, whichever is read better on it: at least 4.58 on any colour */
export function inkOn(colour: string): '#000000' | '#ffffff' {
  return contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#ffffff' : '#000000';
}
