/**
 * Cuts texts for messages and pages. Half of a surrogate pair would be shown as a replacement character, and PostgreSQL rejects it
 * in JSON, so a text is never cut within a pair.
 */

/** @param maxLength in UTF-16 code units, like `length` @returns the text, or as many of its first characters as fit */
export function cutText(text: string, maxLength: number): string {
  const isWithinPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(maxLength - 1, maxLength + 1));
  return text.slice(0, isWithinPair ? maxLength - 1 : maxLength);
}

/** @returns the text, or as many of its first characters as fit, followed by an ellipsis, which is not counted */
export function shortenText(text: string, maxLength: number): string {
  return text.length > maxLength ? `${cutText(text, maxLength)}…` : text;
}
