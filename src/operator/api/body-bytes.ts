/** The bytes of a body: whether there is one, of which kind it has to be, and at most how many of them are read. */
import type { OperatorRequest } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';

export interface BodyKind {
  type: RegExp;
  /** As a caller would write it. */
  typeName: string;
  mostBytes: number;
}

const WITH_BODY = ['POST', 'PATCH'];

export function hasBody({ headers }: OperatorRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** @throws OperatorFault. Everything of another kind is refused before it is read. */
export async function readBody(request: OperatorRequest, kind: BodyKind): Promise<Buffer> {
  const refusal = refusalOf(request, kind);
  if (refusal) throw refusal;
  return read(request, kind.mostBytes);
}

/** @throws OperatorFault */
export function readText(bytes: Buffer, fault: () => OperatorFault): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fault();
  }
}

function refusalOf({ method = '', headers }: OperatorRequest, { type, typeName, mostBytes }: BodyKind): OperatorFault | null {
  if (!WITH_BODY.includes(method)) return new OperatorFault(400, 'unexpected_body', `${method} takes no body.`);
  if (!type.test(headers['content-type'] ?? '')) {
    return new OperatorFault(415, 'unsupported', `The body has to be ${typeName} in UTF-8.`);
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return new OperatorFault(415, 'unsupported', 'The body must not be compressed.');
  }
  return Number(headers['content-length'] ?? 0) > mostBytes ? tooLarge(mostBytes) : null;
}

/** What comes after too much is read and forgotten, so that the caller hears the answer. */
function read(request: OperatorRequest, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) reject(tooLarge(mostBytes));
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => reject(new OperatorFault(400, 'bad_request', 'The body did not arrive.')));
  });
}

function tooLarge(mostBytes: number): OperatorFault {
  return new OperatorFault(413, 'too_large', `The body has at most ${mostBytes / 1024} kB.`);
}
