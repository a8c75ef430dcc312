/**
 * Parts of Markdown files that are generated from code. The text between two marks is generated; the rest is written
 * by hand.
 */
export interface Marks {
  begin: string;
  end: string;
}

/** @returns Markdown, including the marks */
export function buildMarkedTable({ begin, end }: Marks, rows: readonly string[]): string {
  return [begin, '', ...rows, '', end].join('\n');
}

/**
 * @param part including its marks @throws if the text does not contain the marks in this order @returns the text with the new part
 */
export function withGeneratedPart(text: string, { begin, end }: Marks, part: string): string {
  const beginIndex = text.indexOf(begin);
  const endIndex = text.indexOf(end);
  if (beginIndex < 0 || endIndex < beginIndex) throw new Error(`The text lacks the lines\n${begin}\n${end}`);
  return text.slice(0, beginIndex) + part + text.slice(endIndex + end.length);
}
