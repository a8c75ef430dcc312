/**
 * Reads the body of a call: one JSON object in UTF-8, at most 64 kB; or, for the one address that takes many, a batch of
 * them line by line. What may stand in an object is `strict-pipe.ts`.
 */
import { hasBody, readBody, readText } from './body-bytes.js';
import type { BodyKind } from './body-bytes.js';
import type { OperatorRequest, Step } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { IMPORT_LIMITS, LINES_TYPE, OPERATOR_API } from '../wire.js';

const ONE: BodyKind = {
  type: /^application\/json\s*(?:;\s*charset\s*=\s*(?:utf-8|"utf-8")\s*)?$/i,
  typeName: 'application/json',
  mostBytes: 64 * 1024,
};
const MANY: BodyKind = {
  type: /^application\/x-ndjson\s*(?:;\s*charset\s*=\s*(?:utf-8|"utf-8")\s*)?$/i,
  typeName: LINES_TYPE,
  mostBytes: IMPORT_LIMITS.bytes,
};
const TAKES_MANY = `${OPERATOR_API}/imports`;

export const jsonBody: Step = (request, _response, next) => {
  if (!hasBody(request)) return next();
  const path = (request.url ?? '').split('?', 1)[0];
  (path === TAKES_MANY ? readLines(request) : readOne(request)).then(
    () => next(),
    (error: unknown) => next(error),
  );
};

/** @throws OperatorFault */
export function parseObject(text: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Without the parser's message: that one quotes the body, which may hold a password.
    throw unreadable(what);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OperatorFault(400, 'bad_json', `${what} has to be a JSON object.`);
  }
  return value as Record<string, unknown>;
}

/** A member that is null counts as left out. */
export function withoutNulls(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

async function readOne(request: OperatorRequest): Promise<void> {
  const what = 'The body';
  request.body = parseObject(
    readText(await readBody(request, ONE), () => unreadable(what)),
    what,
  );
}

async function readLines(request: OperatorRequest): Promise<void> {
  const text = readText(await readBody(request, MANY), () => unreadable('The body'));
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length > IMPORT_LIMITS.lines) {
    throw new OperatorFault(413, 'too_large', `The body has at most ${IMPORT_LIMITS.lines} lines.`);
  }
  request.lines = lines;
}

function unreadable(what: string): OperatorFault {
  return new OperatorFault(400, 'bad_json', `${what} cannot be read as JSON.`);
}
