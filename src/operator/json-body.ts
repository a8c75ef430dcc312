/**
 * Reads the body of a call: one JSON object in UTF-8, at most 64 kB. Everything else is refused before it is read. What
 * may stand in the object is `strict-pipe.ts`.
 */
import type { OperatorRequest, Step } from './caller.js';
import { OperatorFault } from './operator-fault.js';

const MOST_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*(?:utf-8|"utf-8")\s*)?$/i;
const WITH_BODY = ['POST', 'PATCH'];

export const jsonBody: Step = (request, _response, next) => {
  if (!hasBody(request)) return next();
  const refusal = refusalOf(request);
  if (refusal) return next(refusal);
  read(request).then(
    (bytes) => {
      try {
        request.body = parse(bytes);
      } catch (error) {
        return next(error);
      }
      next();
    },
    (error: unknown) => next(error),
  );
};

function hasBody({ headers }: OperatorRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function refusalOf({ method = '', headers }: OperatorRequest): OperatorFault | null {
  if (!WITH_BODY.includes(method)) return new OperatorFault(400, 'unexpected_body', `${method} takes no body.`);
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    return new OperatorFault(415, 'unsupported', 'The body has to be application/json in UTF-8.');
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return new OperatorFault(415, 'unsupported', 'The body must not be compressed.');
  }
  return Number(headers['content-length'] ?? 0) > MOST_BYTES ? tooLarge() : null;
}

/** What comes after too much is read and forgotten, so that the caller hears the answer. */
function read(request: OperatorRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => reject(new OperatorFault(400, 'bad_request', 'The body did not arrive.')));
  });
}

function parse(bytes: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Without the parser's message: that one quotes the body, which may hold a password.
    throw new OperatorFault(400, 'bad_json', 'The body cannot be read as JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OperatorFault(400, 'bad_json', 'The body has to be a JSON object.');
  }
  return value as Record<string, unknown>;
}

function tooLarge(): OperatorFault {
  return new OperatorFault(413, 'too_large', `The body has at most ${MOST_BYTES / 1024} kB.`);
}
