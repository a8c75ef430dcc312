/** An SMTP server for one test: stores received mails and simulates failures. */
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

export interface TakenMail {
  from: string;
  recipients: string[];
  source: string;
  messageId: string;
}

export interface BadAnswer {
  /** `data`: after the whole message. `taken`: after it was accepted and answered with 250. */
  at: 'connect' | 'mail' | 'rcpt' | 'data' | 'taken';
  /** The code of the reply; `drop` ends the connection and `silence` never replies. */
  code: number | 'drop' | 'silence';
  /** Affects only this recipient; by default all. */
  only?: string;
  /** Affects only connections over which a mail was sent before. */
  reused?: true;
}

export interface MailServerOptions extends SMTPServerOptions {
  /** Offers STARTTLS, with an untrusted certificate if no other is given; without it, plain SMTP only. */
  tls?: boolean;
}

interface Reply {
  next: (error?: Error | null) => void;
  recipient?: string;
}

export class MailServer {
  readonly taken: TakenMail[] = [];
  /** Number of attempted deliveries. */
  tries = 0;
  /** Number of connections so far. */
  connections = 0;
  answer: BadAnswer | undefined;
  #held: { only: string | undefined; replies: (() => void)[] } | undefined;
  port = 0;
  readonly #server: SMTPServer;
  /** Open connections, by the port of the client. */
  readonly #sockets = new Map<number, Socket>();
  #waiting: ((mail: TakenMail) => void)[] = [];

  private constructor(more: SMTPServerOptions) {
    this.#server = new SMTPServer({
      logger: false,
      disableReverseLookup: true,
      closeTimeout: 200,
      authOptional: true,
      onConnect: (session, next) => this.#speak('connect', session, { next }),
      onMailFrom: (_address, session, next) => {
        this.tries++;
        this.#speak('mail', session, { next });
      },
      onRcptTo: ({ address }, session, next) => this.#speak('rcpt', session, { next, recipient: address }),
      onData: (stream, session, next) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.once('end', () => {
          const isRefused = this.answer?.at === 'data' && typeof this.answer.code === 'number';
          if (!isRefused) this.#take(session.envelope, Buffer.concat(chunks).toString('utf8'));
          const reply = (): void => this.#speak('data', session, { next });
          const { only = session.envelope.rcptTo[0]?.address } = this.#held ?? {};
          if (this.#held && only === session.envelope.rcptTo[0]?.address) this.#held.replies.push(reply);
          else reply();
          if (this.answer?.at === 'taken') setImmediate(() => this.#sockets.get(session.remotePort)?.end());
        });
      },
      ...more,
    });
  }

  static async start(port = 0, { tls = false, ...more }: MailServerOptions = {}): Promise<MailServer> {
    const made = new MailServer(tls ? more : { disabledCommands: ['STARTTLS'], ...more });
    made.#server.on('error', () => undefined);
    made.#server.server.on('connection', (socket: Socket) => {
      const { remotePort = 0 } = socket;
      made.connections++;
      made.#sockets.set(remotePort, socket);
      socket.once('close', () => made.#sockets.delete(remotePort));
    });
    await new Promise<void>((resolve) => void made.#server.listen(port, 'localhost', resolve));
    made.port = (made.#server.server.address() as AddressInfo).port;
    return made;
  }

  /** Accepts mails without answering them until `release`: all mails, or those of one recipient. */
  hold(only?: string): void {
    this.#held = { only, replies: [] };
  }

  release(): void {
    const { replies = [] } = this.#held ?? {};
    this.#held = undefined;
    for (const reply of replies) reply();
  }

  /** Ends the open connections, as after a time without a mail, and waits until the client has closed them too. */
  async endConnections(): Promise<void> {
    const sockets = [...this.#sockets.values()];
    await Promise.all(sockets.map((socket) => new Promise((resolve) => void socket.once('close', resolve).end())));
  }

  /** Waits until the client has closed its connections. */
  async waitForClose(): Promise<void> {
    for (const socket of this.#sockets.values()) await new Promise((resolve) => socket.once('close', resolve));
  }

  /** Waits until this number of mails has been accepted. */
  async waitForMails(count: number): Promise<void> {
    while (this.taken.length < count) await this.next();
  }

  /** A default value for destructuring that throws, because a mail must exist. */
  throwNoMail(): never {
    throw new Error('No mail was taken.');
  }

  /** Waits for the next accepted mail. */
  next(): Promise<TakenMail> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #take({ mailFrom, rcptTo }: { mailFrom: { address: string } | false; rcptTo: { address: string }[] }, source: string): void {
    const [, messageId = ''] = /^Message-ID: *(<[^>]*>)/im.exec(source) ?? [];
    const sender = mailFrom === false ? '' : mailFrom.address;
    const mail = { from: sender, recipients: rcptTo.map(({ address }) => address), source, messageId };
    this.taken.push(mail);
    for (const tell of this.#waiting.splice(0)) tell(mail);
  }

  #speak(moment: BadAnswer['at'], { remotePort, transaction }: SMTPServerSession, { next, recipient }: Reply): void {
    const { answer } = this;
    const isMeant = answer?.at === moment && (answer.only ?? recipient) === recipient && (!answer.reused || transaction > 1);
    const bad = isMeant ? answer : undefined;
    if (bad?.code === 'silence') return;
    if (bad?.code === 'drop') return void this.#sockets.get(remotePort)?.destroy();
    // Servers repeat the address in their messages.
    next(bad ? Object.assign(new Error(`Not now, <${recipient ?? 'nobody@example.org'}>`), { responseCode: bad.code }) : null);
  }
}
