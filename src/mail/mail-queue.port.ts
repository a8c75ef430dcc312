/** What the worker needs of the rows that wait; bound to the outbox of `accounts/queue` in `app.module.ts`. */
import type { Locale } from '../contract/locale.js';
import type { NoticeMailKind } from './notice-phrases.js';

export interface WaitingMail {
  id: number;
  /** Which try this is, from 1 on. */
  tries: number;
  /** After this one; below 0 for a mail whose last try never came to its end. */
  triesLeft: number;
  kind: NoticeMailKind | 'password-reset' | 'account-secured' | `${string}-code`;
  recipient: string;
  locale: Locale;
  username?: string;
  values: Readonly<Record<string, string | number>>;
  queuedAt: Date;
  /** It must not be sent any more. */
  expired: boolean;
}

export abstract class MailQueue {
  /** @returns at most so many; each is the caller's for some minutes */
  abstract claim(most: number): Promise<WaitingMail[]>;
  abstract sent(mail: WaitingMail): Promise<void>;
  /** It is tried again, after a delay that grows. */
  abstract later(mail: WaitingMail): Promise<void>;
  abstract abandon(mail: WaitingMail, reason: 'expired' | 'refused' | 'tries'): Promise<void>;
  /** @param listener hears that a mail is about to be queued in this process; it must not throw */
  abstract whenQueued(listener: () => void): void;
}
