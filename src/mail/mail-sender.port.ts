/** The port of the mail server. */
import type { MailText } from './notice-mail.js';

/** How many mails are sent at the same time. */
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
  /** Closes the connections that are kept open for the next mail. */
  abstract close(): Promise<void>;
}

/** Why the mail server could not be used. `refused`: it refuses connections. `unreachable`: it cannot be reached or does not answer. */
export type MailServerProblem = 'refused' | 'unreachable' | 'not-found' | 'tls' | 'login' | 'other';

export class MailNotSent extends Error {
  constructor(
    /**
     * `refused`: the server will never accept this mail. `postponed`: it may accept this mail later. `unavailable`: it accepts no mail now.
     */
    readonly fault: 'refused' | 'postponed' | 'unavailable',
    /** Codes only, because the texts of mail servers repeat addresses. */
    readonly reason: string,
    readonly problem: MailServerProblem = 'other',
  ) {
    super(`A mail was not sent: ${fault} (${reason})`);
    this.name = 'MailNotSent';
  }
}
