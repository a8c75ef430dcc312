/**
 * Sends mails to the configured SMTP server, over connections that stay open for a short time. The settings determine whether TLS
 * is used; certificates are always verified. A mail has one recipient, passed separately from its headers. Nodemailer may load no files or
 * addresses.
 */
import { getSystemErrorName } from 'node:util';
import type { Config, SmtpServer } from '../config/config.js';
import { MAILS_AT_ONCE, MailSender, MailNotSent, type MailServerProblem, type OutgoingMail } from './mail-sender.port.js';

/** How long the sender waits, in milliseconds. */
export interface SmtpTimeouts {
  /** For the DNS lookup, the connection and the greeting, each. */
  connectionMs: number;
  /** For each reply of the server. */
  silenceMs: number;
  /** For one mail as a whole; shorter than the lease of a claimed mail. */
  mailMs: number;
  /** For the next mail, before the connection is closed; shorter than servers wait. Postfix under load waits 10 s (`smtpd_timeout`). */
  idleMs: number;
}

const TIMEOUTS: SmtpTimeouts = { connectionMs: 10_000, silenceMs: 30_000, mailMs: 90_000, idleMs: 5000 };
/** Limited, so that the servers behind a load balancer share the mails. */
const MAILS_PER_CONNECTION = 100;
/**
 * The reply with which a server closes the connection, whatever the command was; it accepts no other mail either (RFC 5321, section 4.2.2).
 */
const SERVICE_CLOSING = 421;

type MailTransport = Awaited<ReturnType<typeof openTransport>>;

export class SmtpSender extends MailSender {
  readonly #server: SmtpServer;
  readonly #sender: Config['mail']['from'];
  readonly #timeouts: SmtpTimeouts;
  #transport: Promise<MailTransport> | undefined;

  constructor(server: SmtpServer, sender: Config['mail']['from'], timeouts = TIMEOUTS) {
    super();
    this.#server = server;
    this.#sender = sender;
    this.#timeouts = timeouts;
  }

  /** Tests connection, encryption and login without sending a mail. @throws MailNotSent */
  async verify(): Promise<void> {
    const transport = await this.#getTransport();
    try {
      await transport.verify();
    } catch (error) {
      throw toMailNotSent(error);
    }
  }

  async send(mail: OutgoingMail): Promise<void> {
    // Addresses are validated when stored. This check also refuses lists and line breaks, which could reach other recipients (S-22).
    if (!/^[^\s\p{Cc}<>",;:]+@[^\s\p{Cc}<>",;:@]+$/u.test(mail.recipient)) throw new MailNotSent('refused', 'address');
    try {
      await this.#transmit(mail);
    } catch (error) {
      throw toMailNotSent(error);
    }
  }

  /** Closes the connections, each after its current mail. A later mail opens new connections. */
  async close(): Promise<void> {
    const transport = this.#transport;
    this.#transport = undefined;
    (await transport)?.close();
  }

  /** A server may close a connection between two mails. The mail is then tried on each remaining connection and finally on a new one. */
  async #transmit(mail: OutgoingMail): Promise<void> {
    const { mailMs, silenceMs } = this.#timeouts;
    const deadline = AbortSignal.timeout(mailMs);
    const startedAt = performance.now();
    for (let triesLeft = MAILS_AT_ONCE; ; triesLeft--) {
      try {
        return await this.#transmitOnce(mail, deadline);
      } catch (error) {
        // A server that did not answer in time would not answer the next try either.
        const hasWaited = performance.now() - startedAt >= silenceMs;
        if (triesLeft === 0 || hasWaited || !isBeforeFirstByte(error)) throw error;
      }
    }
  }

  async #transmitOnce({ recipient, messageId, date, subject, text, html }: OutgoingMail, signal: AbortSignal): Promise<void> {
    const transport = await this.#getTransport();
    await transport.sendMail({
      envelope: { from: this.#sender.address, to: [recipient] },
      from: this.#sender,
      to: { name: '', address: recipient },
      subject,
      text,
      html,
      date,
      messageId,
      // Suppresses automatic replies (RFC 3834, section 5).
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    });
  }

  #getTransport(): Promise<MailTransport> {
    return (this.#transport ??= openTransport(this.#server, this.#timeouts));
  }
}

async function openTransport({ host, port, encryption, login }: SmtpServer, { connectionMs, silenceMs, idleMs }: SmtpTimeouts) {
  // Loaded on demand, because many processes never send a mail.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    pool: true,
    maxConnections: MAILS_AT_ONCE,
    maxMessages: MAILS_PER_CONNECTION,
    idleTimeout: idleMs,
    // `#transmit` repeats a mail itself, but not after a timeout.
    maxRequeues: 0,
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    tls: { minVersion: 'TLSv1.2' },
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
    dnsTimeout: connectionMs,
    connectionTimeout: connectionMs,
    greetingTimeout: connectionMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Whether the connection ended before a byte of the mail was sent. Nodemailer names the command in errors of the server. */
function isBeforeFirstByte(error: unknown): boolean {
  const { code, command } = toFailure(error);
  return code === 'ECONNECTION' && command === undefined;
}

interface SmtpFailure {
  code?: unknown;
  errno?: unknown;
  command?: unknown;
  responseCode?: unknown;
}

/** Only errors about the recipient or the message concern this mail; all others concern the server. */
function toMailNotSent(error: unknown): MailNotSent {
  const failure = toFailure(error);
  const { code, command, responseCode } = failure;
  const reason = [code, command, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
  const isAboutMail = typeof responseCode === 'number' && (command === 'RCPT TO' || command === 'DATA');
  if (!isAboutMail || responseCode === SERVICE_CLOSING) return new MailNotSent('unavailable', reason, toProblem(failure));
  return new MailNotSent(responseCode >= 500 ? 'refused' : 'postponed', reason);
}

function toFailure(error: unknown): SmtpFailure {
  return typeof error === 'object' && error !== null ? error : {};
}

/** Reads `errno`, because Nodemailer replaces the code of every socket error with ESOCKET. */
function toProblem({ code, errno }: SmtpFailure): MailServerProblem {
  const system = typeof errno === 'number' && errno < 0 ? getSystemErrorName(errno) : undefined;
  if (code === 'EAUTH') return 'login';
  if (code === 'EDNS' || system === 'ENOTFOUND' || system === 'EAI_AGAIN') return 'not-found';
  if (system === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT' || ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].includes(system ?? '')) return 'unreachable';
  return code === 'ETLS' || (code === 'ESOCKET' && system === undefined) ? 'tls' : 'other';
}
