/** The queue of mails; `app.module.ts` binds it to the outbox of `accounts/queue`. */
import type { Locale } from '../contract/locale.js';
import type { MailServerProblem } from './mail-sender.port.js';

export interface WaitingMail {
  id: number;
  /** Number of the current try, from 1. */
  tries: number;
  /** Number of tries left after the current one; below 0 if the last permitted try did not finish. */
  triesLeft: number;
  /** A kind of `accounts/queue/mail-kinds.ts`; another version of Foyer may have queued a kind that this version does not know. */
  kind: string;
  recipient: string;
  locale: Locale;
  username?: string;
  values: Readonly<Record<string, string | number>>;
  queuedAt: Date;
  /** An expired mail must not be sent. */
  expired: boolean;
}

/** Why a try failed. The causes that begin with `server-` concern the mail server and not this mail. */
export interface MailFailure {
  cause: 'refused' | 'postponed' | 'unexpected' | `server-${MailServerProblem}`;
  /** Codes of the mail client and server. */
  code?: string;
}

export abstract class MailQueue {
  /** Leases mails for some minutes. @returns the most urgent due mails, at most `limit` */
  abstract claim(limit: number): Promise<WaitingMail[]>;
  /** Leases mails for some minutes. @returns the due mails that became due first, at most `limit` */
  abstract claimOldest(limit: number): Promise<WaitingMail[]>;
  /** Marks a mail as sent. */
  abstract markSent(mail: WaitingMail): Promise<void>;
  /** Schedules another try; the delay grows with each try, up to a limit. */
  abstract postpone(mail: WaitingMail, failure: MailFailure): Promise<void>;
  /** Gives up a mail. @param failure absent if the mail was not tried again */
  abstract abandon(mail: WaitingMail, reason: 'expired' | 'refused' | 'tries', failure?: MailFailure): Promise<void>;
  /** @param listener called when this process is about to queue mails, or to make mails due again; must not throw */
  abstract onQueued(listener: () => void): void;
}
