/** @returns the first letters of the first and the last word; for an e-mail address, of the words before the `@` */
export function initials(name: string): string {
  const words = (name.split('@')[0] || name).match(/[\p{L}\p{N}]+/gu) ?? [];
  const chosenWords = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return chosenWords.map((word) => Array.from(word ?? '')[0]?.toUpperCase() ?? '').join('');
}
