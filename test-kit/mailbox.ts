/** Reads the mails of Foyer from the mailbox of the installation. */
import { KitError } from './kit-error.js';

export interface Mail {
  id: string;
  to: readonly string[];
  subject: string;
  text: string;
  html: string;
  /** Addresses in the text, in order. */
  links: readonly string[];
}

export interface WaitOptions {
  /** Part of the subject. */
  subject?: string;
  /** Default: 60 seconds. */
  withinMs?: number;
}

interface Head {
  ID: string;
  Subject: string;
  To: { Address: string }[];
}

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 40;
const LIMIT = 500;

export class Mailbox {
  readonly #returnedIds = new Set<string>();

  constructor(private readonly url: string) {}

  /** @returns the newest mail to an address; null if there is none */
  async latest(to: string): Promise<Mail | null> {
    const [newestHead] = await this.#listHeads(to);
    return newestHead ? this.#read(newestHead) : null;
  }

  /** @returns the next mail to an address. Each mail is returned once, oldest first. @throws KitError if none arrives in time */
  async waitFor(to: string, { subject = '', withinMs = TIMEOUT_MS }: WaitOptions = {}): Promise<Mail> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const newHeads = (await this.#listHeads(to)).filter(
        ({ ID, Subject }) => !this.#returnedIds.has(ID) && Subject.includes(subject),
      );
      const oldestHead = newHeads.at(-1);
      if (oldestHead) {
        this.#returnedIds.add(oldestHead.ID);
        return this.#read(oldestHead);
      }
      if (performance.now() > deadline) throw new KitError(await this.#describeAbsence(to, subject, withinMs));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async clear(): Promise<void> {
    await fetch(`${this.url}/api/v1/messages`, { method: 'DELETE' });
  }

  async #describeAbsence(to: string, subject: string, withinMs: number): Promise<string> {
    const contents = (await this.#listHeads()).map((head) => `"${head.Subject}" to ${toAddresses(head).join(', ')}`);
    const description = subject === '' ? `to ${to}` : `"${subject}" to ${to}`;
    return `No further mail ${description} arrived within ${withinMs} ms. The mailbox contains: ${contents.join('; ') || 'nothing'}.`;
  }

  /** @returns the heads of the mails, newest first */
  async #listHeads(to?: string): Promise<Head[]> {
    const answer = await fetch(`${this.url}/api/v1/messages?limit=${LIMIT}`);
    const { messages } = (await answer.json()) as { messages: Head[] };
    return to === undefined ? messages : messages.filter((head) => toAddresses(head).includes(to.toLowerCase()));
  }

  async #read({ ID: id }: Head): Promise<Mail> {
    const answer = await fetch(`${this.url}/api/v1/message/${encodeURIComponent(id)}`);
    const message = (await answer.json()) as Head & { Text: string; HTML: string };
    const { Subject: subject, Text: text, HTML: html } = message;
    return { id, to: toAddresses(message), subject, text, html, links: text.match(/https?:\/\/[^\s<>")\]]+/g) ?? [] };
  }
}

const toAddresses = ({ To }: Head): string[] => To.map(({ Address }) => Address.toLowerCase());
