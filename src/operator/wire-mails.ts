/** Answers of the operator API about mails that did not arrive. */
import type { MailCause } from '../accounts/queue/failed-mails.js';

/** A mail of which a try failed, or that was abandoned. Its text is never told. */
export interface MailAnswer {
  id: string;
  /** Such as `password-reset` or `totp-added`. */
  kind: string;
  recipient: string;
  /** Null for a mail about an account that was deleted. */
  account_id: string | null;
  username: string | null;
  /** `waiting`: is tried again. `abandoned`: is not tried again by itself. */
  state: 'waiting' | 'abandoned';
  /** Number of tries since it was queued, or since an operator last let it be tried again. */
  tries: number;
  queued_at: string;
  /** Null for a mail that was abandoned. */
  next_try_at: string | null;
  abandoned_at: string | null;
  /** When its link or code ends; null if the mail stays useful. */
  expires_at: string | null;
  /** Whether its link or code has ended, so that it is not sent any more. */
  expired: boolean;
  /** Why the last try failed. Causes that begin with `server-` concern the mail server, the others the mail. */
  cause: MailCause;
  /** Codes of the last try, such as `EENVELOPE RCPT TO 550`, without the texts of the mail server. */
  code: string | null;
}

/** A page of mails that did not arrive, newest first. */
export interface MailListAnswer {
  mails: MailAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** The mails of one cause. */
export interface MailCauseAnswer {
  cause: MailCause;
  /** Counted up to 1000; 1001 stands for more. */
  count: number;
  /** Those that `POST /mails/retry` would let be tried again, counted in the same way. */
  retryable: number;
}

/** The causes of which there are mails. */
export interface MailCausesAnswer {
  causes: MailCauseAnswer[];
}

/** A mail that is tried again now. */
export interface MailRetriedAnswer extends MailAnswer {
  /** False if it was due already, so that the call changed nothing. */
  retried: boolean;
}

/** How many mails are tried again now. */
export interface MailsRetriedAnswer {
  /** At most 1000. */
  retried: number;
  /** Whether the call has to be repeated, because there may be more. */
  more: boolean;
}
