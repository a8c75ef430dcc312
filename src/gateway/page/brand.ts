/**
 * The installation's colours as a stylesheet, because the content security policy forbids inline styles. The
 * configuration has validated the values; they cannot end their declaration.
 */
import type { Config } from '../../config/config.js';

export function brandStyles({ brandColour, brandRadius }: Pick<Config['app'], 'brandColour' | 'brandRadius'>): string {
  const declarations = [
    ...(brandColour === undefined ? [] : [`--brand:${brandColour}`]),
    ...(brandRadius === undefined ? [] : [`--radius:${brandRadius}`]),
  ];
  return declarations.length === 0 ? '' : `:root{${declarations.join(';')}}`;
}
