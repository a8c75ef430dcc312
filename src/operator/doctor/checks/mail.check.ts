/** Mail: the server takes a connection as the settings say, with encryption and login. Nothing is sent unless asked for. */
import { resolveMx, lookup } from 'node:dns/promises';
import { randomToken } from '../../../config/keys.js';
import type { SmtpServer } from '../../../config/config.js';
import { MailNotSent } from '../../../mail/mail-sender.port.js';
import { SmtpSender } from '../../../mail/smtp-sender.js';
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { fault, hint, ok } from '../finding.js';
import type { Finding } from '../finding.js';

/** Names that are nobody's by standard (RFC 2606, RFC 6761). */
const NOT_PUBLIC = /(^|\.)(localhost|test|invalid|example|example\.(com|net|org)|local|internal)$/;

export const mailCheck: Check = {
  title: 'Mail',
  async run(examined) {
    const { server, from } = examined.config.mail;
    if (!server) {
      return [
        hint(
          'No mail server is set: mails wait in the database, and nobody can reset a password alone.',
          'Set SMTP_URL, like smtps://user:password@mail.example.org.',
        ),
      ];
    }
    const carrier = new SmtpSender(server, from);
    const refusal = await refusalOf(() => carrier.verify());
    if (refusal !== null) return [await refusalFinding(examined, server, refusal)];
    return [
      ok(`The server for mail, ${server.host}:${server.port}, takes mail (${WORDS[server.encryption]}).`),
      ...(await senderFindings(from.address)),
      ...(await sendTest(examined, carrier)),
    ];
  },
};

const WORDS = { tls: 'TLS', starttls: 'STARTTLS', none: 'without encryption' } as const;

async function refusalOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof MailNotSent) return error.reason;
    throw error;
  }
}

async function refusalFinding(examined: Examination, { host, port, encryption }: SmtpServer, reason: string): Promise<Finding> {
  const address = `${host}:${port}`;
  if (examined.config.embedded && !(await examined.isRunning())) {
    return hint('The mailbox for trying runs only while Foyer does.', 'Start Foyer (npm start), then run the doctor again.');
  }
  if (reason.startsWith('EAUTH')) {
    return fault(
      `The mail server at ${address} refuses the login (${reason}).`,
      'Set SMTP_URL with the user and password that it takes.',
    );
  }
  if (reason.startsWith('ETLS') || (encryption !== 'none' && reason.startsWith('ESOCKET'))) {
    return fault(
      `The mail server at ${address} offers no encryption that can be trusted (${reason}), and SMTP_URL asks for ${WORDS[encryption]}.`,
      'Set SMTP_URL to smtps:// (TLS at once, mostly port 465) or smtp://…?starttls=required (mostly 587), and give the server a certificate for its name.',
    );
  }
  return fault(`The mail server at ${address} takes no mail (${reason}).`, 'Start it, or set SMTP_URL to one that does.');
}

async function senderFindings(address: string): Promise<Finding[]> {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const fix = 'Set MAIL_FROM to an address of a domain of yours that may send from this server (SPF, DKIM).';
  if (NOT_PUBLIC.test(domain)) return [hint(`Mails come from ${address}, a domain that other servers refuse.`, fix)];
  const isKnown = await resolveMx(domain).then(
    (records) => records.length > 0,
    () =>
      lookup(domain).then(
        () => true,
        () => false,
      ),
  );
  return isKnown ? [] : [hint(`${domain}, the domain that mails come from, takes no mail and is not known.`, fix)];
}

async function sendTest({ parts, config }: Examination, carrier: SmtpSender): Promise<Finding[]> {
  const { sendTestTo: recipient, clock } = parts;
  if (recipient === undefined) return [];
  const text = `This mail was sent by the doctor of ${config.app.name}, ${config.publicUrl}, because somebody asked for it.`;
  const refusal = await refusalOf(() =>
    carrier.send({
      recipient,
      messageId: `<${randomToken()}@${new URL(config.publicUrl).hostname}>`,
      date: clock.now(),
      subject: `${config.app.name}: mail works`,
      text: `${text}\n`,
      html: `<!doctype html><html lang="en"><title>Mail works</title><p>${escaped(text)}</p></html>`,
    }),
  );
  if (refusal === null) return [ok('A mail was handed over to the server; see that it comes, and not as spam.')];
  return [
    fault(
      `The mail for trying was not taken (${refusal}).`,
      'Set MAIL_FROM to a sender, and --send-test to an address, that the server takes.',
    ),
  ];
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
