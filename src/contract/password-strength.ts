/**
 * Measures how strong a new password is and which rules it meets, for the meter and the list of rules (VAL-2, VAL-3). Both only
 * inform the person: the server decides whether a password is accepted (VAL-1).
 */
import type { PasswordRules } from './manage-state.js';

/** Segments of the meter; 0 is an empty field. */
export type StrengthScore = 0 | 1 | 2 | 3 | 4 | 5;

/**
 * Classes of characters, with the number of characters in each that an attacker has to try. `OTHER_CLASS` counts only in passwords of
 * at least `MIN_OTHER_LENGTH` characters.
 */
const CLASSES: readonly { pattern: RegExp; size: number }[] = [
  { pattern: /\p{Ll}/u, size: 26 },
  { pattern: /\p{Lu}/u, size: 26 },
  { pattern: /\p{Nd}/u, size: 10 },
];
const OTHER_CLASS = { pattern: /[^\p{Ll}\p{Lu}\p{Nd}]/u, size: 33 };
const MIN_OTHER_LENGTH = 8;

const FULL_SCALE_BITS = 80;
const STEPS: readonly StrengthScore[] = [1, 2, 3, 4, 5];

export function scorePassword(password: string): StrengthScore {
  const text = password.normalize('NFC');
  const length = measureLength(text);
  if (length === 0) return 0;
  const classes = length < MIN_OTHER_LENGTH ? CLASSES : [...CLASSES, OTHER_CLASS];
  const pool = classes.reduce((sum, { pattern, size }) => sum + (pattern.test(text) ? size : 0), 0);
  const bits = length * Math.log2(Math.max(pool, 1));
  const step = Math.floor(bits / (FULL_SCALE_BITS / (STEPS.length - 1)));
  return STEPS[step] ?? 5;
}

export interface PasswordCheck {
  rule: 'length' | 'lower' | 'upper' | 'digit' | 'equal';
  ok: boolean;
}

/** @returns the rules that apply here, in display order */
export function listPasswordChecks(password: string, repeat: string, rules: PasswordRules): PasswordCheck[] {
  const text = password.normalize('NFC');
  return [
    { rule: 'length', ok: text !== '' && measureLength(text) >= rules.min_length },
    ...(rules.require_lower ? [{ rule: 'lower', ok: /\p{Ll}/u.test(text) } as const] : []),
    ...(rules.require_upper ? [{ rule: 'upper', ok: /\p{Lu}/u.test(text) } as const] : []),
    ...(rules.require_digit ? [{ rule: 'digit', ok: /\p{Nd}/u.test(text) } as const] : []),
    { rule: 'equal', ok: text !== '' && text === repeat.normalize('NFC') },
  ];
}

/** @returns the number of code points, so that a character outside of the basic plane counts once (`length` counts it twice) */
function measureLength(text: string): number {
  return Array.from(text).length;
}
