/** Dates in the language of the page (I18-5). In UTC on server and browser, so that both render the same. */
import { FALLBACK_LOCALE, LANGUAGES, isLocale } from '../../../src/contract/locale.js';

/** @param iso a moment in UTC */
export function longDate(iso: string, language: string): string {
  const format = new Intl.DateTimeFormat(LANGUAGES[isLocale(language) ? language : FALLBACK_LOCALE].dates, {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  // Day and month stay on one line.
  return format.format(new Date(iso)).replace(' ', '\u00a0');
}
