/** Receives mail over SMTP: without authentication and encryption, for any recipient, and without relaying. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { readMessage, type Envelope, type Message } from './message.js';

const MAX_MAIL_BYTES = 10 * 1024 * 1024;

export interface SmtpReceiver {
  port: number;
  close(): Promise<void>;
}

/** @throws the listening error */
export async function startSmtpReceiver(host: string, port: number, deliver: (message: Message) => void): Promise<SmtpReceiver> {
  const server = new SMTPServer({
    name: 'localhost',
    banner: 'Foyer mailbox',
    logger: false,
    size: MAX_MAIL_BYTES,
    maxClients: 50,
    disableReverseLookup: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 500,
    onData: (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope;
      const envelope = {
        returnPath: mailFrom === false ? '' : mailFrom.address,
        recipients: rcptTo.map(({ address }) => address),
      };
      receive(stream, envelope).then((message) => {
        deliver(message);
        done(null, `Stored as ${message.id}`);
      }, done);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      // From here on, errors concern one connection; without a listener they would end the process.
      server.off('error', reject).on('error', () => undefined);
      resolve();
    });
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function receive(stream: SMTPServerDataStream, envelope: Envelope): Promise<Message> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_MAIL_BYTES) chunks.push(chunk);
  }
  if (size > MAX_MAIL_BYTES) throw Object.assign(new Error('The mail is larger than 10 MiB'), { responseCode: 552 });
  return readMessage(Buffer.concat(chunks), envelope, new Date());
}
