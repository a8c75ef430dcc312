/** The words of the gateway's pages and mails in English, for tests that look at a whole installation. */
import { readFileSync } from 'node:fs';

const PHRASES = JSON.parse(readFileSync(new URL('../../locales/en.json', import.meta.url), 'utf8')) as Record<string, string>;

/** Soft hyphens are left out. @throws for a key that is none */
export function words(key: string): string {
  const text = PHRASES[key];
  if (text === undefined) throw new Error(`No phrase ${key}`);
  return text.replaceAll('\u00ad', '');
}
