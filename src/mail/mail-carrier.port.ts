/** Sends one mail. */
import type { MailText } from './notice-mail.js';

export interface OutgoingMail extends MailText {
  recipient: string;
  /** The same for every try, so that a duplicate mail is recognised. */
  messageId: string;
  date: Date;
}

export abstract class MailCarrier {
  /** @throws MailNotTaken */
  abstract carry(mail: OutgoingMail): Promise<void>;
}

export class MailNotTaken extends Error {
  constructor(
    /** `refused`: this mail will never be accepted. `unavailable`: no mail is accepted now. */
    readonly fault: 'refused' | 'postponed' | 'unavailable',
    /** Codes only: texts of mail servers repeat addresses. */
    readonly reason: string,
  ) {
    super(`A mail was not taken: ${fault} (${reason})`);
    this.name = 'MailNotTaken';
  }
}
