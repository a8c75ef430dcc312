/** Formats moments in the language of the console and the time zone of the browser. */

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;

export interface DateWords {
  /** The language tag. */
  tag: string;
  today: string;
  yesterday: string;
  tomorrow: string;
  hasSeconds?: boolean;
}

/** @returns a text such as `today 14:03` or `3 Mar 2026, 14:03`; an invalid time unchanged */
export function formatMoment(iso: string, { tag, hasSeconds = false, ...words }: DateWords, now = new Date()): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return iso;
  const time = new Intl.DateTimeFormat(tag, hasSeconds ? { ...TIME, second: '2-digit' } : TIME).format(moment);
  const dayName = { '-1': words.yesterday, '0': words.today, '1': words.tomorrow }[String(countDays(moment, now))];
  return dayName === undefined ? `${new Intl.DateTimeFormat(tag, DAY).format(moment)}, ${time}` : `${dayName} ${time}`;
}

/** @returns a text such as `27 Nov 2026` */
export function formatDay(iso: string, tag: string): string {
  return new Intl.DateTimeFormat(tag, DAY).format(new Date(iso));
}

/** @returns the number of days from the day of `now` to the day of `moment` in the time zone of the browser */
function countDays(moment: Date, now: Date): number {
  const toDay = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
  return toDay(moment) - toDay(now);
}
