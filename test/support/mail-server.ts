/** An SMTP server for one test: it keeps what it takes and answers as badly as it is told to. */
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
  /** The recipient that it is for; without one it is for all. */
  only?: string;
}

type Next = (error?: Error | null) => void;

export class MailServer {
  readonly taken: TakenMail[] = [];
  /** Mails that somebody tried to hand over. */
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

  /** @param tls offers STARTTLS under a certificate that nobody vouches for; without it only plain SMTP is spoken */
  static async start(port = 0, { tls = false } = {}): Promise<MailServer> {
    const made = new MailServer(tls ? {} : { disabledCommands: ['STARTTLS'] });
    made.#server.on('error', () => undefined);
    await new Promise<void>((resolve) => void made.#server.listen(port, 'localhost', resolve));
    made.port = (made.#server.server.address() as AddressInfo).port;
    return made;
  }

  /** For destructuring where a mail has to be. */
  noMail(): never {
    throw new Error('No mail was taken.');
  }

  /** The next mail that is taken. */
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
    // Servers repeat the address in what they say.
    next(bad ? Object.assign(new Error(`Not now, <${recipient ?? 'nobody@example.org'}>`), { responseCode: bad.code }) : null);
  }
}
