/**
 * Reads the body of a call, which is one JSON object in UTF-8 of at most 64 kB, except for imports (one object on each line), logout tokens
 * (a form), the token hook and SCIM (at most 1 MB). `operator-body.pipe.ts` validates the objects of the operator API.
 */
import {
  exactJsonParser,
  exactTextParser,
  hasBody,
  type ParserError,
  type RequestHandler,
} from '../../gateway/http/body-parsers.js';
import { CONSOLE_PATHS, toPath } from '../console/console-paths.js';
import { TOKEN_HOOK_PATH } from '../hooks/hook-key.js';
import { isScimPath } from '../scim/scim-access.js';
import type { OperatorRequest, Middleware } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { IMPORT_LIMITS, LINES_TYPE, OPERATOR_API } from '../wire.js';

interface BodyKind {
  contentType: RegExp;
  /** Name of the content type in error messages. */
  typeName: string;
  mostBytes: number;
  /** A parser of Express, which sets `request.body`. */
  parse: Middleware;
  /** @throws OperatorFault */
  read(body: unknown): NonNullable<OperatorRequest['body']>;
}

const METHODS_WITH_BODY = ['POST', 'PATCH'];
/** SCIM replaces resources with PUT. */
const SCIM_METHODS = ['POST', 'PATCH', 'PUT'];
const MAX_BYTES = 64 * 1024;
const IMPORTS_PATH = `${OPERATOR_API}/imports`;

const JSON_OBJECT: BodyKind = {
  contentType: /^application\/json\s*(?:;\s*charset\s*=\s*(?:utf-8|"utf-8")\s*)?$/i,
  typeName: 'application/json',
  mostBytes: MAX_BYTES,
  parse: toMiddleware(exactJsonParser(MAX_BYTES)),
  read: (body) => requireObject(body, 'The body'),
};
/** Hydra sends the logout token in a form (OpenID Connect Back-Channel Logout 1.0, section 2.5). */
const FORM: BodyKind = {
  contentType: /^application\/x-www-form-urlencoded\s*(?:;.*)?$/i,
  typeName: 'application/x-www-form-urlencoded',
  mostBytes: MAX_BYTES,
  parse: toMiddleware(exactTextParser(MAX_BYTES)),
  read: (text) => Object.fromEntries(new URLSearchParams(text as string)),
};
const LINES: BodyKind = {
  contentType: /^application\/x-ndjson\s*(?:;\s*charset\s*=\s*(?:utf-8|"utf-8")\s*)?$/i,
  typeName: LINES_TYPE,
  mostBytes: IMPORT_LIMITS.bytes,
  parse: toMiddleware(exactTextParser(IMPORT_LIMITS.bytes)),
  read: toLines,
};

/** A session at Hydra contains all claims of a person, and perhaps the claims of an earlier login app, which had no limit. */
const HOOK_MAX_BYTES = 1024 * 1024;
const HOOK: BodyKind = { ...JSON_OBJECT, mostBytes: HOOK_MAX_BYTES, parse: toMiddleware(exactJsonParser(HOOK_MAX_BYTES)) };

const SCIM_MAX_BYTES = 1024 * 1024;
const SCIM: BodyKind = {
  contentType: /^application\/(?:scim\+)?json\s*(?:;\s*charset\s*=\s*(?:utf-8|"utf-8")\s*)?$/i,
  typeName: 'application/scim+json',
  mostBytes: SCIM_MAX_BYTES,
  parse: toMiddleware(exactJsonParser(SCIM_MAX_BYTES)),
  read: (body) => requireObject(body, 'The body'),
};

const KINDS: Readonly<Record<string, BodyKind>> = {
  [IMPORTS_PATH]: LINES,
  [CONSOLE_PATHS.backChannelLogout]: FORM,
  [TOKEN_HOOK_PATH]: HOOK,
};

export const requestBody: Middleware = (request, response, next) => {
  if (!hasBody(request)) return next();
  const path = toPath(request.url);
  const kind = isScimPath(path) ? SCIM : (KINDS[path] ?? JSON_OBJECT);
  const refusal = findRefusal(request, kind);
  if (refusal) return next(refusal);
  kind.parse(request, response, (error) => {
    if (error) return next(explainFault(error, kind));
    try {
      request.body = kind.read(request.body);
    } catch (fault) {
      return next(fault);
    }
    next();
  });
};

/** @throws OperatorFault */
export function parseObject(text: string, textName: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message is dropped, because it quotes the body, which may contain a password.
    throw buildUnreadableFault(textName);
  }
  return requireObject(value, textName);
}

function requireObject(value: unknown, textName: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new OperatorFault(400, 'bad_json', `${textName} must be a JSON object.`);
}

/** The requests of this listener are Express requests. */
function toMiddleware(parser: RequestHandler): Middleware {
  return parser as unknown as Middleware;
}

function toLines(text: unknown): readonly string[] {
  const lines = (text as string).replace(/\n$/, '').split('\n');
  if (lines.length <= IMPORT_LIMITS.lines) return lines;
  throw new OperatorFault(413, 'too_large', `The body must not have more than ${IMPORT_LIMITS.lines} lines.`);
}

/** @returns why the body is refused before it is read: its method or content type; null if it is not refused */
function findRefusal({ method = '', headers }: OperatorRequest, { contentType, typeName }: BodyKind): OperatorFault | null {
  const methods = typeName === SCIM.typeName ? SCIM_METHODS : METHODS_WITH_BODY;
  if (!methods.includes(method)) return new OperatorFault(400, 'unexpected_body', `${method} accepts no body.`);
  if (contentType.test(headers['content-type'] ?? '')) return null;
  return new OperatorFault(415, 'unsupported', `The body must be ${typeName} in UTF-8.`);
}

/** The parser's message is dropped, because it quotes the body. */
function explainFault(error: unknown, { mostBytes }: BodyKind): OperatorFault {
  switch ((error as ParserError).type) {
    case 'entity.too.large':
      return new OperatorFault(413, 'too_large', `The body must not be larger than ${mostBytes / 1024} kB.`);
    case 'encoding.unsupported':
      return new OperatorFault(415, 'unsupported', 'The body must not be compressed.');
    case 'entity.parse.failed':
      return buildUnreadableFault('The body');
    case 'entity.verify.failed':
      return new OperatorFault(400, 'bad_json', 'The body is empty, or is not valid UTF-8.');
    default:
      return new OperatorFault(400, 'bad_request', 'The body is incomplete or malformed.');
  }
}

function buildUnreadableFault(textName: string): OperatorFault {
  return new OperatorFault(400, 'bad_json', `${textName} is not valid JSON.`);
}
