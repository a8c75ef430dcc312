/**
 * Formats dates in the language of the page (I18-5). The phrase `language.dates` is the language tag for `Intl`. The server formats
 * everything in UTC. A function without a parameter for the time zone does so in the browser, too, so that both render the same text.
 */

/** @param iso a moment in UTC */
export function formatLongDate(iso: string, languageTag: string): string {
  const format = new Intl.DateTimeFormat(languageTag, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  // A no-break space keeps day and month on one line.
  return format.format(new Date(iso)).replace(' ', '\u00a0');
}

/** @param timeZone named in the text; undefined for the time zone of the browser, which is not named */
export function formatLongTime(
  iso: string,
  languageTag: string,
  { timeZone, withYear = false }: { timeZone: 'UTC' | undefined; withYear?: boolean },
): string {
  const format = new Intl.DateTimeFormat(languageTag, {
    ...({ day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const),
    ...(withYear && { year: 'numeric' }),
    ...(timeZone && { timeZone, timeZoneName: 'short' }),
  });
  return formatTime(format, iso).replace(' ', '\u00a0');
}

/**
 * Formats a time with "today", "yesterday", or the day and month. `now` is in UTC.
 * @param timeZone named in the text; undefined for the time zone of the browser, which is not named
 */
export function formatRecentTime(
  { iso, now }: { iso: string; now: string },
  languageTag: string,
  timeZone: 'UTC' | undefined,
): string {
  const days = toDayNumber(iso, timeZone) - toDayNumber(now, timeZone);
  if (days < -1 || days > 0) return formatLongTime(iso, languageTag, { timeZone });
  const day = new Intl.RelativeTimeFormat(languageTag, { numeric: 'auto' }).format(days, 'day');
  return `${day.charAt(0).toLocaleUpperCase(languageTag)}${day.slice(1)} ${formatClockTime(iso, languageTag, timeZone)}`;
}

function toDayNumber(iso: string, timeZone: 'UTC' | undefined): number {
  const format = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...(timeZone && { timeZone }),
  });
  const parts = Object.fromEntries(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(parts['year'] ?? 0, (parts['month'] ?? 1) - 1, parts['day'] ?? 1) / 86_400_000;
}

/** @param timeZone undefined for the time zone of the browser */
export function formatWeekday(iso: string, languageTag: string, timeZone: 'UTC' | undefined): string {
  const parts = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  const text = new Intl.DateTimeFormat(languageTag, { ...parts, ...(timeZone && { timeZone }) }).format(new Date(iso));
  // The text is a heading, so it begins with a capital letter.
  return text.charAt(0).toLocaleUpperCase(languageTag) + text.slice(1);
}

/** @param timeZone named in the text; undefined for the time zone of the browser, which is not named */
export function formatClockTime(iso: string, languageTag: string, timeZone: 'UTC' | undefined): string {
  const parts = { hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat(languageTag, { ...parts, ...(timeZone && { timeZone, timeZoneName: 'short' }) });
  return formatTime(format, iso);
}

/** Formats a time; a no-break space keeps the time and the name of its time zone on one line. */
function formatTime(format: Intl.DateTimeFormat, iso: string): string {
  const parts = format.formatToParts(new Date(iso));
  return parts
    .map(({ value }, index) => (parts[index + 1]?.type === 'timeZoneName' ? value.replace(' ', '\u00a0') : value))
    .join('');
}

/** Separates the facts of a line. The no-break space prevents a line from beginning with the dot. */
export const DOT = '\u00a0· ';
