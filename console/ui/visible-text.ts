/**
 * Makes characters visible that could hide or reorder text: control characters, direction marks, and characters without a width.
 * Names and addresses are written by strangers, who could otherwise make one person look like another.
 */

/** Zero-width joiners and non-joiners stay unchanged, because Persian and emoji need them. */
const HIDDEN_CHARACTERS =
  /[\p{Cc}\p{Cs}\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180E\u200B\u2028\u2029\u3164\uFFA0\u{E0000}-\u{E0FFF}]|(?![\u200C\u200D])\p{Cf}/gu;

export interface TextPart {
  text: string;
  /** Whether `text` names a hidden character, such as `U+202E`. */
  isHidden: boolean;
}

/** @returns the text in parts, with a name in place of each hidden character */
export function splitHidden(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN_CHARACTERS)) {
    if (index > end) parts.push({ text: text.slice(end, index), isHidden: false });
    parts.push({ text: nameCharacter(character), isHidden: true });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isHidden: false });
  return parts;
}

/** For texts without markup, such as the title of the window and attributes. */
export function toVisibleText(text: string): string {
  return text.replace(HIDDEN_CHARACTERS, (character) => `[${nameCharacter(character)}]`);
}

function nameCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
