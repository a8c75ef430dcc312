/**
 * The installation's colours as a stylesheet of its own: the content policy forbids inline styles. The values have been
 * checked by the configuration; they cannot end the declaration they stand in.
 */
import type { Config } from '../../config/config.js';

export function brandStyles({ brandColour, brandRadius }: Pick<Config['app'], 'brandColour' | 'brandRadius'>): string {
  const declarations = [
    ...(brandColour === undefined ? [] : [`--brand:${brandColour}`]),
    ...(brandRadius === undefined ? [] : [`--radius:${brandRadius}`]),
  ];
  return declarations.length === 0 ? '' : `:root{${declarations.join(';')}}`;
}
