/**
 * Dates in the language of the page (I18-5): its phrase `language.dates` is the language tag of their forms. Days are in UTC on
 * server and browser, so that both render the same.
 */

/** @param iso a moment in UTC */
export function longDate(iso: string, dates: string): string {
  const format = new Intl.DateTimeFormat(dates, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  // Day and month stay on one line.
  return format.format(new Date(iso)).replace(' ', '\u00a0');
}

/** @param timeZone named in the text; undefined: that of the browser, which the text does not name */
export function longTime(iso: string, dates: string, timeZone: 'UTC' | undefined): string {
  const parts = { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat(dates, { ...parts, ...(timeZone && { timeZone, timeZoneName: 'short' }) });
  return boundTime(format, iso).replace(' ', '\u00a0');
}

/** @param timeZone undefined: that of the browser */
export function weekday(iso: string, dates: string, timeZone: 'UTC' | undefined): string {
  const parts = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  const text = new Intl.DateTimeFormat(dates, { ...parts, ...(timeZone && { timeZone }) }).format(new Date(iso));
  // It stands alone, as a heading.
  return text.charAt(0).toLocaleUpperCase(dates) + text.slice(1);
}

/** @param timeZone named in the text; undefined: that of the browser, which the text does not name */
export function clockTime(iso: string, dates: string, timeZone: 'UTC' | undefined): string {
  const parts = { hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat(dates, { ...parts, ...(timeZone && { timeZone, timeZoneName: 'short' }) });
  return boundTime(format, iso);
}

/** Clock and zone stay on one line. */
function boundTime(format: Intl.DateTimeFormat, iso: string): string {
  const parts = format.formatToParts(new Date(iso));
  return parts
    .map(({ value }, index) => (parts[index + 1]?.type === 'timeZoneName' ? value.replace(' ', '\u00a0') : value))
    .join('');
}

/** Between facts of a line; a line never begins with it. */
export const DOT = '\u00a0· ';
