/** Sends one mail. */
import type { MailText } from './notice-mail.js';

/** How many mails are sent at once. */
export const MAILS_AT_ONCE = 5;

export interface OutgoingMail extends MailText {
  recipient: string;
  /** The same for every try, so that a duplicate mail is recognised. */
  messageId: string;
  date: Date;
}

export abstract class MailSender {
  /** @throws MailNotSent */
  abstract send(mail: OutgoingMail): Promise<void>;
  /** Ends what is open for the next mail. */
  abstract close(): Promise<void>;
}

/** Why the mail server could not be used. `refused`: it refuses connections. `unreachable`: also if it is silent. */
export type MailServerProblem = 'refused' | 'unreachable' | 'not-found' | 'tls' | 'login' | 'other';

export class MailNotSent extends Error {
  constructor(
    /** `refused`: this mail will never be accepted. `unavailable`: no mail is accepted now. */
    readonly fault: 'refused' | 'postponed' | 'unavailable',
    /** Codes only: texts of mail servers repeat addresses. */
    readonly reason: string,
    readonly problem: MailServerProblem = 'other',
  ) {
    super(`A mail was not sent: ${fault} (${reason})`);
    this.name = 'MailNotSent';
  }
}
