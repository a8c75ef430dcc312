/**
 * @returns the first letters of the first and the last word, or of the only word; for an e-mail address, of the words before the `@`;
 * empty if there is no letter or digit
 */
export function toInitials(name: string): string {
  const words = (name.split('@')[0] || name).match(/[\p{L}\p{N}]+/gu) ?? [];
  const chosenWords = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return chosenWords.map((word) => Array.from(word ?? '')[0]?.toUpperCase() ?? '').join('');
}
