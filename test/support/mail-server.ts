/** An SMTP server for one test: stores received mails and simulates failures. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';

export interface TakenMail {
  from: string;
  recipients: string[];
  source: string;
  messageId: string;
}

export interface BadAnswer {
  at: 'connect' | 'mail' | 'rcpt' | 'data';
  code: number;
  /** Affects only this recipient; without it, all. */
  only?: string;
}

type Next = (error?: Error | null) => void;

export class MailServer {
  readonly taken: TakenMail[] = [];
  /** Number of attempted deliveries. */
  tries = 0;
  answer: BadAnswer | undefined;
  port = 0;
  readonly #server: SMTPServer;
  #waiting: ((mail: TakenMail) => void)[] = [];

  private constructor(more: SMTPServerOptions) {
    this.#server = new SMTPServer({
      logger: false,
      disableReverseLookup: true,
      closeTimeout: 200,
      authOptional: true,
      onConnect: (_session, next) => this.#speak('connect', next),
      onMailFrom: (_address, _session, next) => {
        this.tries++;
        this.#speak('mail', next);
      },
      onRcptTo: ({ address }, _session, next) => this.#speak('rcpt', next, address),
      onData: (stream, { envelope }, next) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.once('end', () => {
          if (this.answer?.at === 'data') return this.#speak('data', next);
          this.#take(envelope, Buffer.concat(chunks).toString('utf8'));
          next();
        });
      },
      ...more,
    });
  }

  /** @param tls offers STARTTLS with an untrusted certificate; without it, plain SMTP only */
  static async start(port = 0, { tls = false } = {}): Promise<MailServer> {
    const made = new MailServer(tls ? {} : { disabledCommands: ['STARTTLS'] });
    made.#server.on('error', () => undefined);
    await new Promise<void>((resolve) => void made.#server.listen(port, 'localhost', resolve));
    made.port = (made.#server.server.address() as AddressInfo).port;
    return made;
  }

  /** For destructuring when a mail must exist. */
  noMail(): never {
    throw new Error('No mail was taken.');
  }

  /** The next received mail. */
  next(): Promise<TakenMail> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #take({ mailFrom, rcptTo }: { mailFrom: { address: string } | false; rcptTo: { address: string }[] }, source: string): void {
    const [, messageId = ''] = /^Message-ID: *(<[^>]*>)/im.exec(source) ?? [];
    const from = mailFrom === false ? '' : mailFrom.address;
    const mail = { from, recipients: rcptTo.map(({ address }) => address), source, messageId };
    this.taken.push(mail);
    for (const tell of this.#waiting.splice(0)) tell(mail);
  }

  #speak(at: BadAnswer['at'], next: Next, recipient?: string): void {
    const bad = this.answer?.at === at && (this.answer.only ?? recipient) === recipient ? this.answer : undefined;
    // Servers repeat the address in their messages.
    next(bad ? Object.assign(new Error(`Not now, <${recipient ?? 'nobody@example.org'}>`), { responseCode: bad.code }) : null);
  }
}
