/** English texts of the gateway's pages and mails, for tests of a whole installation. */
import { readFileSync } from 'node:fs';

const PHRASES = JSON.parse(readFileSync(new URL('../../locales/en.json', import.meta.url), 'utf8')) as Record<string, string>;

/** Finds a text, without soft hyphens. @throws for an unknown key */
export function words(key: string): string {
  const text = PHRASES[key];
  if (text === undefined) throw new Error(`No phrase ${key}`);
  return text.replaceAll('\u00ad', '');
}
