/** Takes one mail to where mail goes. */
import type { MailText } from './notice-mail.js';

export interface OutgoingMail extends MailText {
  recipient: string;
  /** The same at every try, so that a mail that comes twice is known as one. */
  messageId: string;
  date: Date;
}

export abstract class MailCarrier {
  /** @throws MailNotTaken */
  abstract carry(mail: OutgoingMail): Promise<void>;
}

export class MailNotTaken extends Error {
  constructor(
    /** `refused`: this mail will never be taken. `unavailable`: no mail is taken at the moment. */
    readonly fault: 'refused' | 'postponed' | 'unavailable',
    /** Codes only: what servers say repeats addresses. */
    readonly reason: string,
  ) {
    super(`A mail was not taken: ${fault} (${reason})`);
    this.name = 'MailNotTaken';
  }
}
