/** Formats times as the mails of the product do, but without the time zone: `23 November 2026 at 18:13`. */
import type { SiteLanguage } from './language.js';

/** English with the day before the month, as in the pages and mails of the product. */
const DATE_TAGS: Readonly<Record<SiteLanguage, string>> = { de: 'de', en: 'en-GB' };

/** @param time in milliseconds since 1970, if it is a number */
export function formatTime(time: Date | number, language: SiteLanguage): string {
  return new Intl.DateTimeFormat(DATE_TAGS[language], { dateStyle: 'long', timeStyle: 'short' }).format(time);
}
