/** What the worker needs of the rows that wait. */
import type { Locale } from '../contract/locale.js';
import type { NoticeTopic } from './notice-phrases.js';

export interface WaitingMail {
  id: number;
  /** Which try this is, from 1 on. */
  tries: number;
  kind: NoticeTopic | 'password-reset' | 'account-secured' | 'proof-code';
  recipient: string;
  locale: Locale;
  username?: string;
  values: Readonly<Record<string, string | number>>;
  queuedAt: Date;
  /** It must not be sent any more. */
  expired: boolean;
}

export interface MailQueue {
  /** @returns at most so many; each is the caller's for some minutes */
  claim(most: number): Promise<WaitingMail[]>;
  sent(mail: WaitingMail): Promise<void>;
  later(mail: WaitingMail, seconds: number): Promise<void>;
  abandon(mail: WaitingMail, reason: 'expired' | 'refused' | 'tries'): Promise<void>;
}
