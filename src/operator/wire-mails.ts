/** Answers of the operator API about mails that did not arrive. */
import type { MailCause } from '../accounts/queue/failed-mails.js';

/** A mail that could not be sent at its last try, or that was abandoned. The text of the mail is never returned. */
export interface MailAnswer {
  id: string;
  /** Such as `password-reset` or `totp-added`. */
  kind: string;
  recipient: string;
  /** Null for a mail about an account that was deleted. */
  account_id: string | null;
  username: string | null;
  /** `waiting`: the mail is tried again. `abandoned`: the mail is not tried again automatically. */
  state: 'waiting' | 'abandoned';
  /** Number of tries since it was queued, or since an operator last retried it. */
  tries: number;
  queued_at: string;
  /** Null for a mail that was abandoned. */
  next_try_at: string | null;
  abandoned_at: string | null;
  /** When its link or code expires; null if the mail stays useful. */
  expires_at: string | null;
  /** Whether its link or code has expired, so that the mail is no longer sent. */
  expired: boolean;
  /** Why the last try failed. Causes that begin with `server-` concern the mail server; the others, except `unknown`, concern the mail. */
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

/** The mails with one cause. */
export interface MailCauseAnswer {
  cause: MailCause;
  /** Counted up to 1000; 1001 means more. */
  count: number;
  /** Mails that `POST /mails/retry` would retry, counted in the same way. */
  retryable: number;
}

/** The causes for which there are mails. */
export interface MailCausesAnswer {
  causes: MailCauseAnswer[];
}

/** A mail that is tried again now. */
export interface MailRetriedAnswer extends MailAnswer {
  /** False if the mail was already due or is being sent, so that the call changed nothing. */
  retried: boolean;
}

/** How many mails are tried again now. */
export interface MailsRetriedAnswer {
  /** At most 1000. */
  retried: number;
  /** Whether the call has to be repeated, because there may be more. */
  more: boolean;
}
