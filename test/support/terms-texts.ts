/** Texts of terms, as the setting `TERMS` reads them from files. */
import { createHash } from 'node:crypto';
import type { TermsText } from '../../src/config/value-types.js';

export function buildTermsText(text: string, locale = 'en'): TermsText {
  const [title = ''] = text.split('\n', 1);
  return { locale, title, text, sha256: createHash('sha256').update(text).digest('hex') };
}
