/**
 * Checks whether the mail server accepts a connection with the configured encryption and login, and whether the domain of the sender can
 * receive mail. Sends a mail only on request.
 */
import { resolveMx, lookup } from 'node:dns/promises';
import { randomToken } from '../../../config/keys.js';
import type { SmtpServer } from '../../../config/config.js';
import { toCode } from '../../../config/system-error.js';
import { MailNotSent } from '../../../mail/mail-sender.port.js';
import { SmtpSender } from '../../../mail/smtp-sender.js';
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { fault, hint, ok, type Finding } from '../finding.js';
import { toSentence } from './setting-names.js';

/** Domains that RFC 2606, RFC 6761, RFC 6762 and ICANN (`internal`) reserve for other purposes. */
const RESERVED_DOMAIN = /(^|\.)(localhost|test|invalid|example|example\.(com|net|org)|local|internal)$/i;

export const mailCheck: Check = {
  title: 'Mail',
  async run(examination) {
    const { server, from } = examination.config.mail;
    if (!server) return [describeMissingServer(examination.warnings)];
    const sender = new SmtpSender(server, from);
    const finding = await findServerFault(server, sender);
    if (finding && examination.config.embedded && !(await examination.isRunning())) {
      return [hint('The embedded mailbox runs only while Foyer runs.', 'Start Foyer (npm start), then run the doctor again.')];
    }
    if (finding) return [finding];
    return [
      ok(
        `The mail server ${server.host}:${server.port} accepts connections with SMTP_URL (${ENCRYPTION_NAMES[server.encryption]}).`,
      ),
      ...(await checkSender(from.address)),
      ...(await sendTestMail(examination, sender)),
    ];
  },
};

const ENCRYPTION_NAMES = { tls: 'TLS', starttls: 'STARTTLS', none: 'without encryption' } as const;

/** Repeats the warning about `SMTP_URL`, which names the consequences; there is none if the setting is invalid. */
function describeMissingServer(warnings: readonly string[]): Finding {
  const warning =
    warnings.find((text) => text.startsWith('SMTP_URL: is not set')) ??
    'No mail server is configured: mails stay in the database, and people cannot reset their passwords themselves';
  return hint(toSentence(warning), 'Set SMTP_URL, for example to smtps://user:password@mail.example.org.');
}

/** @returns null if the server accepts a connection and the login */
export async function findServerFault(server: SmtpServer, sender: SmtpSender): Promise<Finding | null> {
  const failure = await findFailure(() => sender.verify());
  return failure && explainFailure(server, failure);
}

async function findFailure(work: () => Promise<void>): Promise<MailNotSent | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof MailNotSent) return error;
    throw error;
  }
}

function explainFailure({ host, port, encryption }: SmtpServer, { reason, problem }: MailNotSent): Finding {
  const address = `${host}:${port}`;
  if (problem === 'login') {
    return fault(
      `The mail server at ${address} refuses the login (${reason}).`,
      'Set SMTP_URL with the correct user and password.',
    );
  }
  if (problem === 'not-found') {
    return fault(
      `The host name of the mail server, ${host}, cannot be resolved (${reason}).`,
      'Correct the host in SMTP_URL, or the DNS configuration of this machine.',
    );
  }
  if (problem === 'refused') {
    return fault(`The mail server at ${address} refuses connections (${reason}).`, 'Start it, or correct the port in SMTP_URL.');
  }
  if (problem === 'unreachable') {
    return fault(
      `The mail server at ${address} cannot be reached or does not answer (${reason}).`,
      'Check the host and port in SMTP_URL, and that firewalls allow the connection.',
    );
  }
  if (problem === 'tls' && encryption !== 'none') {
    return fault(
      `The mail server at ${address} offers no trustworthy encryption (${reason}), but SMTP_URL requires ${ENCRYPTION_NAMES[encryption]}.`,
      "Set SMTP_URL to smtps:// (TLS from the start, usually port 465) or smtp://…?starttls=required (usually 587), and install a certificate for the server's name.",
    );
  }
  return fault(`The mail server at ${address} accepts no mail (${reason}).`, 'Start it, or set SMTP_URL to another server.');
}

/** Codes of DNS for a domain that does not exist, or has no address. Other codes say nothing about the domain. */
const UNKNOWN_DOMAIN_CODES: readonly string[] = ['ENOTFOUND', 'ENODATA'];

interface Resolver {
  resolveMx(domain: string): Promise<readonly { exchange: string }[]>;
  lookup(domain: string): Promise<unknown>;
}

export async function checkSender(address: string, resolver: Resolver = { resolveMx, lookup }): Promise<Finding[]> {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const fix = 'Set MAIL_FROM to an address in your own domain that may send from this server (SPF, DKIM).';
  if (RESERVED_DOMAIN.test(domain))
    return [hint(`The sender of mails is ${address}, whose domain other mail servers refuse.`, fix)];
  try {
    const isReachable = await resolver.resolveMx(domain).then(
      // A domain that receives no mail has a record with an empty name (RFC 7505).
      (records) => records.some(({ exchange }) => exchange !== ''),
      () => resolver.lookup(domain).then(() => true),
    );
    if (isReachable) return [];
  } catch (error) {
    const code = toCode(error) ?? 'unknown reason';
    if (!UNKNOWN_DOMAIN_CODES.includes(code))
      return [
        hint(
          `The domain of the sender, ${domain}, cannot be looked up (${code}).`,
          'Check the DNS configuration of this machine.',
        ),
      ];
  }
  return [hint(`The domain of the sender, ${domain}, does not exist or receives no mail.`, fix)];
}

async function sendTestMail({ parts, config }: Examination, sender: SmtpSender): Promise<Finding[]> {
  const { sendTestTo: recipient, clock } = parts;
  if (recipient === undefined) return [];
  const text = `This mail was sent by the doctor of ${config.app.name}, ${config.publicUrl}, because an operator requested it.`;
  const failure = await findFailure(() =>
    sender.send({
      recipient,
      messageId: `<${randomToken()}@${new URL(config.publicUrl).hostname}>`,
      date: clock.now(),
      subject: `${config.app.name}: mail works`,
      text: `${text}\n`,
      html: `<!doctype html><html lang="en"><title>Mail works</title><p>${escapeHtml(text)}</p></html>`,
    }),
  );
  await sender.close();
  if (failure === null) return [ok('The server accepted the test mail; check that it arrives, and not as spam.')];
  return [
    fault(
      `The test mail was not accepted (${failure.reason}).`,
      'Set MAIL_FROM to a sender and --send-test to a recipient that the server accepts.',
    ),
  ];
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
