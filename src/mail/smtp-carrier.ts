/**
 * Sends mails to the configured SMTP server, one connection for each. TLS follows the settings; certificates are always
 * verified. A message has one recipient, given separately from its headers; no files or addresses are loaded.
 */
import { createTransport } from 'nodemailer';
import type { Config, SmtpServer } from '../config/config.js';
import { MailCarrier, MailNotTaken } from './mail-carrier.port.js';
import type { OutgoingMail } from './mail-carrier.port.js';

const CONNECTING_MS = 10_000;
const SILENCE_MS = 30_000;
/** Shorter than the lease of a claim. */
const WHOLE_MS = 90_000;

type MailTransport = ReturnType<typeof transportTo>;

export class SmtpCarrier extends MailCarrier {
  readonly #transport: MailTransport;
  readonly #from: Config['mail']['from'];

  constructor(server: SmtpServer, from: Config['mail']['from']) {
    super();
    this.#transport = transportTo(server);
    this.#from = from;
  }

  /** Tests the connection, encryption and login without sending a mail. @throws MailNotTaken */
  async greet(): Promise<void> {
    try {
      await this.#transport.verify();
    } catch (error) {
      throw notTaken(error);
    } finally {
      this.#transport.close();
    }
  }

  async carry({ recipient, messageId, date, subject, text, html }: OutgoingMail): Promise<void> {
    // Addresses are validated when stored; this also refuses lists and line breaks, which would reach other recipients
    // (S-22).
    if (!/^[^\s\p{Cc}<>",;:]+@[^\s\p{Cc}<>",;:@]+$/u.test(recipient)) throw new MailNotTaken('refused', 'address');
    try {
      await this.#transport.sendMail({
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
        signal: AbortSignal.timeout(WHOLE_MS),
      });
    } catch (error) {
      throw notTaken(error);
    }
  }
}

function transportTo({ host, port, encryption, login }: SmtpServer) {
  return createTransport({
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    tls: { minVersion: 'TLSv1.2' },
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
    dnsTimeout: CONNECTING_MS,
    connectionTimeout: CONNECTING_MS,
    greetingTimeout: CONNECTING_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

interface SmtpFailure {
  code?: unknown;
  command?: unknown;
  responseCode?: unknown;
}

/** Only errors about the recipient or the message concern this mail; all others concern the server. */
function notTaken(error: unknown): MailNotTaken {
  const { code, command, responseCode } = (typeof error === 'object' && error !== null ? error : {}) as SmtpFailure;
  const reason = [code, command, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
  const isAboutMail = typeof responseCode === 'number' && (command === 'RCPT TO' || command === 'DATA');
  if (!isAboutMail) return new MailNotTaken('unavailable', reason);
  return new MailNotTaken(responseCode >= 500 ? 'refused' : 'postponed', reason);
}
