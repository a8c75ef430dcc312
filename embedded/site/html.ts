/** HTML as a value: a tagged template that escapes all values except instances of `Html`. */

export class Html {
  /** @param text safe markup, without unescaped text that is not trusted */
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[];

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Strings and numbers are only allowed in text and in quoted attributes; instances of `Html` also elsewhere in a tag. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const text = strings.reduce((markup, piece, index) => markup + toMarkup(parts[index - 1]) + piece);
  return new Html(text);
}

function toMarkup(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  return part.map(toMarkup).join('');
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
