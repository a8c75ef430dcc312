/** How long to wait, counted down with script. At the end a screen reader hears that the wait is over, not every second. */
import { useTranslation } from 'react-i18next';
import { useSecondsLeft } from '../browser/timing.js';
import { waitPhrase } from './wait-phrase.js';

/** @param seconds undefined: not known */
export function Wait({ seconds }: { seconds: number | undefined }) {
  const { t } = useTranslation();
  if (!seconds || seconds < 0) return t(...waitPhrase(seconds));
  return <Countdown seconds={seconds} />;
}

function Countdown({ seconds }: { seconds: number }) {
  const { t } = useTranslation();
  const left = useSecondsLeft(seconds);
  if (left === 0) return t('wait.over');
  // Inside an alert: a timer is not announced when it changes.
  return <span role="timer">{t(...waitPhrase(left))}</span>;
}
