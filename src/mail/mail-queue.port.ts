/** The queue of mails; `app.module.ts` binds it to the outbox of `accounts/queue`. */
import type { Locale } from '../contract/locale.js';

export interface WaitingMail {
  id: number;
  /** Number of this try, from 1. */
  tries: number;
  /** Number of tries left after this one; below 0 if the last try did not finish. */
  triesLeft: number;
  /** One of `accounts/queue/outbox.ts`, of this version or another one. */
  kind: string;
  recipient: string;
  locale: Locale;
  username?: string;
  values: Readonly<Record<string, string | number>>;
  queuedAt: Date;
  /** It must not be sent any more. */
  expired: boolean;
}

export abstract class MailQueue {
  /** @returns at most this many mails, the most urgent ones, leased for some minutes */
  abstract claim(most: number): Promise<WaitingMail[]>;
  /** @returns the same for those that have waited longest */
  abstract claimOldest(most: number): Promise<WaitingMail[]>;
  abstract sent(mail: WaitingMail): Promise<void>;
  /** Schedules another try; the delay grows. */
  abstract postpone(mail: WaitingMail): Promise<void>;
  abstract abandon(mail: WaitingMail, reason: 'expired' | 'refused' | 'tries'): Promise<void>;
  /** @param listener called when this process is about to queue a mail; must not throw */
  abstract whenQueued(listener: () => void): void;
}
