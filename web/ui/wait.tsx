/** Shows how long to wait and, with script, counts down. Screen readers announce only the end of the wait, not every second. */
import { useTranslation } from 'react-i18next';
import { useSecondsLeft } from '../browser/timing.js';
import { toWaitPhrase } from './wait-phrase.js';

/** @param seconds undefined if not known */
export function Wait({ seconds }: { seconds: number | undefined }) {
  const { t } = useTranslation();
  if (!seconds || seconds < 0) return t(...toWaitPhrase(seconds));
  return <Countdown seconds={seconds} />;
}

function Countdown({ seconds }: { seconds: number }) {
  const { t } = useTranslation();
  const secondsLeft = useSecondsLeft(seconds);
  if (secondsLeft === 0) return t('wait.over');
  // The role prevents the surrounding alert from announcing every change.
  return <span role="timer">{t(...toWaitPhrase(secondsLeft))}</span>;
}
