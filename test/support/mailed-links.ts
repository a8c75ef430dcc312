/** Links in a person's mails, each returned once, oldest first. */
import { Mailbox } from '../../test-kit/mailbox.js';

export class MailedLinks {
  readonly #mailbox: Mailbox;

  constructor(
    mailboxUrl: string,
    private readonly address: string,
  ) {
    this.#mailbox = new Mailbox(mailboxUrl);
  }

  /** Returns the link of the next mail with a link to this path; other mails are skipped. @throws if none arrives */
  async next(path: string): Promise<string> {
    for (;;) {
      const { links } = await this.#mailbox.waitFor(this.address);
      const link = links.find((one) => new URL(one).pathname === path);
      if (link !== undefined) return link;
    }
  }
}
