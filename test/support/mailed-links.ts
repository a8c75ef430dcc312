/** Links that a person finds in their mails, each once, the oldest first. */
import { Mailbox } from '../../test-kit/mailbox.js';

export class MailedLinks {
  readonly #mailbox: Mailbox;

  constructor(
    mailboxUrl: string,
    private readonly address: string,
  ) {
    this.#mailbox = new Mailbox(mailboxUrl);
  }

  /** Of the next mail that has a link to this path; mails without one are passed over. @throws when none comes */
  async next(path: string): Promise<string> {
    for (;;) {
      const { links } = await this.#mailbox.waitFor(this.address);
      const link = links.find((one) => new URL(one).pathname === path);
      if (link !== undefined) return link;
    }
  }
}
