/**
 * Opens the socket to an LDAP server, with TLS if the settings require it, within one time limit. StartTLS (RFC 4511, section 4.14)
 * is done here and not by the LDAP library: a man in the middle could send data after the answer and before the TLS handshake, and
 * the library would later read that data as an answer of the server.
 */
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { BerReader } from 'ldapts';
import { defined } from '../../config/defined.js';

export interface LdapServer {
  host: string;
  port: number;
  encryption: 'tls' | 'starttls' | 'none';
  /** Certificate authority in PEM form. If absent, the authorities that Node.js trusts are trusted. */
  ca?: string;
  timeoutMs: number;
}

/** Extended request 1.3.6.1.4.1.1466.20037 with message id 1. */
const START_TLS = Buffer.concat([Buffer.from('301d02010177188016', 'hex'), Buffer.from('1.3.6.1.4.1.1466.20037')]);
const EXTENDED_RESPONSE = 0x78;
const MAX_ANSWER_LENGTH = 4096;

/** @throws Error of the network or of TLS, or if the server does not start TLS */
export async function openSocket(server: LdapServer): Promise<Socket> {
  const { host, port, encryption, timeoutMs } = server;
  // Firewalls drop idle connections silently; without keep-alive, a search would wait for its whole time limit.
  const plainSocket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 });
  // Errors are awaited below. The connection handles later errors.
  plainSocket.on('error', () => undefined);
  const timer = setTimeout(() => plainSocket.destroy(new Error('no answer in time')), timeoutMs);
  try {
    await once(plainSocket, 'connect');
    if (encryption === 'none') return plainSocket;
    if (encryption === 'starttls') await startTls(plainSocket);
    return await startTlsClient(plainSocket, server);
  } catch (error) {
    plainSocket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The contexts are cached, because reading the certificate authorities takes a third of a handshake, and they do not change. */
const contexts = new WeakMap<LdapServer, SecureContext>();

function toContext(server: LdapServer): SecureContext {
  const { ca } = server;
  const context = contexts.get(server) ?? createSecureContext({ ...defined({ ca }), minVersion: 'TLSv1.2' });
  contexts.set(server, context);
  return context;
}

async function startTlsClient(plainSocket: Socket, server: LdapServer): Promise<Socket> {
  const { host } = server;
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = connectTls({ socket: plainSocket, host, ...name, secureContext: toContext(server) });
  // Both sockets may report the same error, also after it has been awaited.
  socket.on('error', () => undefined);
  plainSocket.once('error', (error) => socket.destroy(error));
  await once(socket, 'secureConnect');
  return socket;
}

async function startTls(plainSocket: Socket): Promise<void> {
  const answer = readAnswer(plainSocket);
  plainSocket.write(START_TLS);
  const reader = new BerReader(await answer);
  reader.readSequence();
  reader.readInt();
  if (reader.readSequence() !== EXTENDED_RESPONSE || reader.readEnumeration() !== 0)
    throw new Error('the server does not start TLS');
}

/** Reads one message. Rejects if other data precedes or follows the message. */
function readAnswer(plainSocket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let buffer = Buffer.alloc(0);
    const end = (error?: Error): void => {
      plainSocket.off('data', onData).off('close', onClose).off('error', end).pause();
      if (error) reject(error);
      else resolve(buffer);
    };
    const onClose = (): void => end(new Error('the connection was closed'));
    const onData = (data: Buffer): void => {
      buffer = Buffer.concat([buffer, data]);
      const length = measureLength(buffer);
      if (length !== null && buffer.length > length) end(new Error('the server sent data that is not its answer to StartTLS'));
      else if (length === buffer.length) end();
      else if (buffer.length > MAX_ANSWER_LENGTH) end(new Error('the answer to StartTLS is too long'));
    };
    plainSocket.on('data', onData).on('close', onClose).on('error', end);
  });
}

/**
 * @returns the length of the whole message (X.690, section 8.1.3); 0 if it is not an LDAP message; null while too few bytes have been
 * received
 */
function measureLength([tag, firstLengthByte, ...otherBytes]: Buffer | number[]): number | null {
  if (tag !== undefined && tag !== 0x30) return 0;
  if (firstLengthByte === undefined) return null;
  if (firstLengthByte < 0x80) return 2 + firstLengthByte;
  const lengthBytes = otherBytes.slice(0, firstLengthByte - 0x80);
  if (lengthBytes.length < firstLengthByte - 0x80) return null;
  return 2 + lengthBytes.length + lengthBytes.reduce((sum, byte) => sum * 256 + byte, 0);
}
