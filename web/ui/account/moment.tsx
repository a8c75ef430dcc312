/** Shows a time in the language of the page: in UTC as rendered by the server, and with script in the time zone of the browser. */
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { formatLongTime, formatRecentTime } from './dates.js';

const subscribeToNothing = () => () => undefined;

/** @returns UTC on the server and during hydration, then undefined for the time zone of the browser */
export function useTimeZone(): 'UTC' | undefined {
  const isBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  return isBrowser ? undefined : 'UTC';
}

/** @param iso in UTC @param withYear for a moment that may be long ago */
export function Moment({ iso, withYear = false }: { iso: string; withYear?: boolean }) {
  const { t } = useTranslation();
  return <time dateTime={iso}>{formatLongTime(iso, t('language.dates'), { timeZone: useTimeZone(), withYear })}</time>;
}

/** Like `Moment`, but with the words "today" and "yesterday". @param now in UTC */
export function RecentMoment({ iso, now }: { iso: string; now: string }) {
  const { t } = useTranslation();
  return <time dateTime={iso}>{formatRecentTime({ iso, now }, t('language.dates'), useTimeZone())}</time>;
}
