/**
 * Makes untrusted text safe for a terminal, so that it cannot move the cursor, change colours or reorder adjacent text, and
 * measures its width.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;
/** The unsafe characters that `JSON.stringify` does not escape. */
const UNSAFE_IN_JSON = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** Combining marks and other characters without a width. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
/** East Asian wide and full-width characters (UAX #11), and emoji. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

export function sanitize(text: string): string {
  return text.replace(UNSAFE, '\uFFFD');
}

export function sanitizeJson(value: unknown): string {
  return escapeUnsafe(JSON.stringify(value, null, 2));
}

/** Formats a value as one line of JSON, for output that is read line by line. */
export function sanitizeJsonLine(value: unknown): string {
  return escapeUnsafe(JSON.stringify(value));
}

function escapeUnsafe(json: string): string {
  const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${json.replace(UNSAFE_IN_JSON, escapeCharacter)}\n`;
}

/** @returns the number of columns on a terminal */
export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) width += ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** @returns the text, or as much of it as fits into the columns with an ellipsis */
export function cutTo(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  let cut = '';
  let width = 0;
  for (const character of text) {
    width += measureWidth(character);
    if (width > columns - 1) break;
    cut += character;
  }
  return `${cut}…`;
}

export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(columns - measureWidth(text), 0));
}
