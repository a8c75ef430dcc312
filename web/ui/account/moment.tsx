/** A moment in the language of the page: in UTC as the server renders it, with script in the time zone of the browser. */
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { longTime } from './dates.js';

const never = () => () => undefined;

/** @param iso in UTC */
export function Moment({ iso }: { iso: string }) {
  const { i18n } = useTranslation();
  const isBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return <time dateTime={iso}>{longTime(iso, i18n.language, isBrowser ? undefined : 'UTC')}</time>;
}
