/**
 * Builds the command line that does the same as an action. It is copied into a shell, so every argument that is not harmless is
 * quoted: a name or a reason must not become a command, and hidden characters are written as escapes.
 */

export interface CommandLine {
  /** The words after `foyer`: the command and its operands. */
  words: readonly string[];
  options?: readonly (readonly [name: string, value?: string])[];
}

const HARMLESS_TEXT = /^[\w@%+=:,./-]+$/;
/** Characters that single quotes would preserve, although nobody sees them or a terminal acts on them. */
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

export function formatCommand({ words, options = [] }: CommandLine): string {
  const optionWords = options.flatMap(([name, value]) => {
    if (value === undefined) return [`--${name}`];
    // Otherwise the value would be read as another option.
    return value.startsWith('-') ? [`--${name}=${quoteArgument(value)}`] : [`--${name}`, quoteArgument(value)];
  });
  return ['foyer', ...words.map(quoteArgument), ...optionWords].join(' ');
}

/** @returns the argument for a POSIX shell; an argument with hidden characters needs bash, zsh or ksh */
export function quoteArgument(text: string): string {
  if (HARMLESS_TEXT.test(text) && !text.startsWith('=')) return text;
  // `replace` instead of `test`, because `test` with a global expression starts where the last match ended.
  const visibleText = text.replace(HIDDEN_CHARACTERS, '');
  if (visibleText === text) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escapedText = text.replace(/[\\']/g, String.raw`\$&`).replace(HIDDEN_CHARACTERS, escapeCharacter);
  return `$'${escapedText}'`;
}

function escapeCharacter(character: string): string {
  if (character === '\n') return String.raw`\n`;
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
