/** Parts of Markdown files that are made from code: what stands between two marks is theirs, the rest is written by hand. */
export interface Marks {
  begin: string;
  end: string;
}

/** @returns Markdown, its marks included */
export function generatedTable({ begin, end }: Marks, rows: readonly string[]): string {
  return [begin, '<!-- prettier-ignore-start -->', '', ...rows, '', '<!-- prettier-ignore-end -->', end].join('\n');
}

/** @param part with its marks @throws when the text has no place for it @returns the text with a fresh part */
export function withGeneratedPart(text: string, { begin, end }: Marks, part: string): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The text lacks the lines\n${begin}\n${end}`);
  return text.slice(0, from) + part + text.slice(to + end.length);
}
