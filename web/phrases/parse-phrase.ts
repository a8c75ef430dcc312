/**
 * Cuts a translated phrase into text, values and marks. Values travel through i18next as `<name/>` and are put in here,
 * after the cut: a client that calls itself `<policy>` or `{{count}}` or `$t(login.heading)` stays plain text.
 */
import type { Values } from './phrase.js';

export type Part =
  { kind: 'text'; text: string } | { kind: 'value'; text: string } | { kind: 'mark'; name: string; parts: Part[] };

const TOKEN = /<(\w+)\/>|<(\w+)>(.*?)<\/\2>/gs;

/** What is given to i18next in place of the values; a count stays a number, because it chooses the plural form. */
export function placeholders(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, name === 'count' ? value : `<${name}/>`]));
}

export function parsePhrase(template: string, values: Values): Part[] {
  const parts: Part[] = [];
  let end = 0;
  const addText = (text: string) => text && parts.push({ kind: 'text', text });
  for (const found of template.matchAll(TOKEN)) {
    const [whole, value, mark, inner] = found;
    addText(template.slice(end, found.index));
    if (value !== undefined) parts.push({ kind: 'value', text: String(values[value] ?? '') });
    else if (mark !== undefined) parts.push({ kind: 'mark', name: mark, parts: parsePhrase(inner ?? '', values) });
    end = found.index + whole.length;
  }
  addText(template.slice(end));
  return parts;
}

/** The phrase without marks, for titles and attributes. */
export function plainText(parts: readonly Part[]): string {
  return parts.map((part) => (part.kind === 'mark' ? plainText(part.parts) : part.text)).join('');
}
