/**
 * Sends mails to the configured SMTP server, one after the other over connections that stay open for a short time. TLS
 * follows the settings; certificates are always verified. A message has one recipient, given separately from its headers;
 * no files or addresses are loaded.
 */
import { getSystemErrorName } from 'node:util';
import type { Config, SmtpServer } from '../config/config.js';
import { MAILS_AT_ONCE, MailSender, MailNotSent, type MailServerProblem, type OutgoingMail } from './mail-sender.port.js';

/** How long to wait, in milliseconds. */
export interface SmtpPatience {
  /** For the name of the server, the connection and its greeting, each. */
  connectingMs: number;
  /** For each of its replies. */
  silenceMs: number;
  /** For all together: shorter than the lease of a claim. */
  wholeMs: number;
  /** For the next mail: shorter than servers wait for it. Postfix under load waits 10 seconds (`smtpd_timeout`). */
  idleMs: number;
}

const PATIENCE: SmtpPatience = { connectingMs: 10_000, silenceMs: 30_000, wholeMs: 90_000, idleMs: 5000 };
/** So that the servers behind a load balancer share the mails. */
const MAILS_PER_CONNECTION = 100;
/** The server ends the connection and takes no other mail either, whatever the command was (RFC 5321, section 4.2.1). */
const CLOSING = 421;

type MailTransport = Awaited<ReturnType<typeof transportTo>>;

export class SmtpSender extends MailSender {
  readonly #server: SmtpServer;
  readonly #from: Config['mail']['from'];
  readonly #patience: SmtpPatience;
  #transport: Promise<MailTransport> | undefined;

  constructor(server: SmtpServer, from: Config['mail']['from'], patience = PATIENCE) {
    super();
    this.#server = server;
    this.#from = from;
    this.#patience = patience;
  }

  /** Tests a connection of its own, its encryption and login without sending a mail. @throws MailNotSent */
  async verify(): Promise<void> {
    const transport = await this.#opened();
    try {
      await transport.verify();
    } catch (error) {
      throw mailNotSent(error);
    }
  }

  async send(mail: OutgoingMail): Promise<void> {
    // Addresses are validated when stored; this also refuses lists and line breaks, which would reach other recipients
    // (S-22).
    if (!/^[^\s\p{Cc}<>",;:]+@[^\s\p{Cc}<>",;:@]+$/u.test(mail.recipient)) throw new MailNotSent('refused', 'address');
    try {
      await this.#transmit(mail);
    } catch (error) {
      throw mailNotSent(error);
    }
  }

  /** Ends the connections; one with a mail on its way ends after it. A later mail opens new ones. */
  async close(): Promise<void> {
    const transport = this.#transport;
    this.#transport = undefined;
    (await transport)?.close();
  }

  /** A server may end open connections between two mails: then the mail goes over another one, and at last over a new one. */
  async #transmit(mail: OutgoingMail): Promise<void> {
    const { wholeMs, silenceMs } = this.#patience;
    const whole = AbortSignal.timeout(wholeMs);
    const begun = performance.now();
    for (let left = MAILS_AT_ONCE; ; left--) {
      try {
        return await this.#transmitOnce(mail, whole);
      } catch (error) {
        // A server that was silent would be so again.
        const hasWaited = performance.now() - begun >= silenceMs;
        if (left === 0 || hasWaited || !hasNotBegun(error)) throw error;
      }
    }
  }

  async #transmitOnce({ recipient, messageId, date, subject, text, html }: OutgoingMail, signal: AbortSignal): Promise<void> {
    const transport = await this.#opened();
    await transport.sendMail({
      envelope: { from: this.#from.address, to: [recipient] },
      from: this.#from,
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

  #opened(): Promise<MailTransport> {
    return (this.#transport ??= transportTo(this.#server, this.#patience));
  }
}

async function transportTo({ host, port, encryption, login }: SmtpServer, { connectingMs, silenceMs, idleMs }: SmtpPatience) {
  // Many processes never send a mail.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    pool: true,
    maxConnections: MAILS_AT_ONCE,
    maxMessages: MAILS_PER_CONNECTION,
    idleTimeout: idleMs,
    // `#transmit` sends a mail again, and not after a silence.
    maxRequeues: 0,
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    tls: { minVersion: 'TLSv1.2' },
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
    dnsTimeout: connectingMs,
    connectionTimeout: connectingMs,
    greetingTimeout: connectingMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Nodemailer's error for a mail whose connection ended before a byte of it; errors of a server name the command. */
function hasNotBegun(error: unknown): boolean {
  const { code, command } = catchFailure(error);
  return code === 'ECONNECTION' && command === undefined;
}

interface SmtpFailure {
  code?: unknown;
  errno?: unknown;
  command?: unknown;
  responseCode?: unknown;
}

/** Only errors about the recipient or the message concern this mail; all others concern the server. */
function mailNotSent(error: unknown): MailNotSent {
  const failure = catchFailure(error);
  const { code, command, responseCode } = failure;
  const reason = [code, command, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
  const isAboutMail = typeof responseCode === 'number' && (command === 'RCPT TO' || command === 'DATA');
  if (!isAboutMail || responseCode === CLOSING) return new MailNotSent('unavailable', reason, problemOf(failure));
  return new MailNotSent(responseCode >= 500 ? 'refused' : 'postponed', reason);
}

function catchFailure(error: unknown): SmtpFailure {
  return typeof error === 'object' && error !== null ? error : {};
}

/** Nodemailer gives every error of a socket the code ESOCKET; the number of a system error stays. */
function problemOf({ code, errno }: SmtpFailure): MailServerProblem {
  const system = typeof errno === 'number' && errno < 0 ? getSystemErrorName(errno) : undefined;
  if (code === 'EAUTH') return 'login';
  if (code === 'EDNS' || system === 'ENOTFOUND' || system === 'EAI_AGAIN') return 'not-found';
  if (system === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT' || ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].includes(system ?? '')) return 'unreachable';
  return code === 'ETLS' || (code === 'ESOCKET' && system === undefined) ? 'tls' : 'other';
}
