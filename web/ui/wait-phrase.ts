/**
 * States how long to wait: up to 90 seconds in seconds, otherwise in minutes, rounded up.
 * If the time is unknown or not positive, the phrase only says "later".
 */
import { phrase, type Phrase } from '../i18n/phrase.js';

const MAX_IN_SECONDS = 90;

export function toWaitPhrase(seconds: number | undefined): Phrase {
  if (!seconds || seconds < 0) return phrase('wait.later');
  if (seconds <= MAX_IN_SECONDS) return phrase('wait.seconds', { count: Math.ceil(seconds) });
  return phrase('wait.minutes', { count: Math.ceil(seconds / 60) });
}
