/** An LDAP server whose answers a test defines: recorded answers of Active Directory, and answers of attackers. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { BerReader, BerWriter } from 'ldapts';

export interface ScriptedEntry {
  dn: string;
  attributes: Readonly<Record<string, readonly (string | Buffer)[]>>;
}

export interface ScriptedAnswer {
  code: number;
  message?: string;
}

export interface LdapScript {
  /** @returns null to send no answer */
  bind(dn: string, password: string): ScriptedAnswer | null;
  /** @param request the search request as it was received, for tests that look for a text in it */
  search(
    base: string,
    request: Buffer,
  ): { entries: readonly ScriptedEntry[]; answer?: ScriptedAnswer; references?: readonly string[] };
  /** The answer to StartTLS, sent unchanged. */
  startTls?: Buffer;
}

const REQUEST = { bind: 0x60, search: 0x63, extended: 0x77 };
const RESPONSE = { bind: 0x61, entry: 0x64, done: 0x65, reference: 0x73 };
const SET = 0x31;
const OCTET_STRING = 0x04;
const SIMPLE = 0x80;
/** The first byte of a TLS handshake; an LDAP message begins with another one. */
const TLS_HANDSHAKE = 0x16;

export class ScriptedLdap {
  private constructor(
    private readonly server: Server,
    private readonly sockets: ReadonlySet<Socket>,
    readonly port: number,
  ) {}

  static async start(script: LdapScript): Promise<ScriptedLdap> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      let waiting = Buffer.alloc(0);
      socket.on('error', () => undefined);
      socket.on('data', (data: Buffer) => {
        // After StartTLS, the client begins a handshake, which is never answered. What it sends without TLS is still recorded.
        if (waiting.length === 0 && data[0] === TLS_HANDSHAKE) socket.removeAllListeners('data').resume();
        else waiting = Buffer.concat([waiting, data]);
        for (let length = measureLength(waiting); length !== null && waiting.length >= length; length = measureLength(waiting)) {
          answer(script, waiting.subarray(0, length), socket);
          waiting = waiting.subarray(length);
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedLdap(server, sockets, (server.address() as AddressInfo).port);
  }

  get url(): string {
    return `ldap://localhost:${this.port}`;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await ended;
  }
}

function answer(script: LdapScript, message: Buffer, socket: Socket): void {
  const reader = new BerReader(message);
  reader.readSequence();
  const id = reader.readInt() ?? 0;
  const operation = reader.readSequence();
  if (operation === REQUEST.bind) {
    reader.readInt();
    const dn = reader.readString() ?? '';
    const bound = script.bind(dn, reader.readString(SIMPLE) ?? '');
    if (bound) socket.write(result(id, RESPONSE.bind, bound));
  } else if (operation === REQUEST.search) {
    const found = script.search(reader.readString() ?? '', message);
    for (const entry of found.entries) socket.write(entryMessage(id, entry));
    for (const reference of found.references ?? []) socket.write(referenceMessage(id, reference));
    socket.write(result(id, RESPONSE.done, found.answer ?? { code: 0 }));
  } else if (operation === REQUEST.extended && script.startTls) {
    socket.write(script.startTls);
  } else if (operation !== REQUEST.extended) {
    socket.end();
  }
}

/** Builds one LDAPMessage with a result. */
export function result(id: number, operation: number, { code, message = '' }: ScriptedAnswer): Buffer {
  return envelope(id, operation, (writer) => {
    writer.writeEnumeration(code);
    writer.writeString('');
    writer.writeString(message);
  });
}

function entryMessage(id: number, { dn, attributes }: ScriptedEntry): Buffer {
  return envelope(id, RESPONSE.entry, (writer) => {
    writer.writeString(dn);
    writer.startSequence();
    for (const [type, values] of Object.entries(attributes)) {
      writer.startSequence();
      writer.writeString(type);
      writer.startSequence(SET);
      for (const value of values) writer.writeBuffer(Buffer.from(value as string), OCTET_STRING);
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
  });
}

function referenceMessage(id: number, url: string): Buffer {
  return envelope(id, RESPONSE.reference, (writer) => writer.writeString(url));
}

function envelope(id: number, operation: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(operation);
  write(writer);
  writer.endSequence();
  writer.endSequence();
  return writer.buffer;
}

function measureLength(bytes: Buffer): number | null {
  const [, first] = bytes;
  if (first === undefined) return null;
  if (first < 0x80) return 2 + first;
  const count = first - 0x80;
  return bytes.length < 2 + count ? null : 2 + count + bytes.readUIntBE(2, count);
}
