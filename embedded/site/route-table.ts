/** Finds the handler for a method and a path. `:name` in a pattern matches one segment. */
import type { SiteRequest } from './read-request.js';
import type { Reply } from './reply.js';

export type Handler = (request: SiteRequest) => Reply | Promise<Reply>;

/** Keys are a method and a pattern, like `GET /message/:id`. */
export type Routes = Readonly<Record<string, Handler>>;

export type Match =
  | { kind: 'found'; handler: Handler; params: Readonly<Record<string, string>> }
  | { kind: 'unknown' }
  | { kind: 'wrong-method'; allowedMethods: string[] };

export class RouteTable {
  readonly #entries: readonly { method: string; segments: readonly string[]; handler: Handler }[];

  constructor(routes: Routes) {
    this.#entries = Object.entries(routes).map(([key, handler]) => {
      const [method = '', pattern = ''] = key.split(' ');
      return { method, segments: pattern.split('/'), handler };
    });
  }

  /** HEAD uses the handler of GET. */
  find(method: string, path: string): Match {
    const handledMethod = method === 'HEAD' ? 'GET' : method;
    const segments = path.split('/');
    const matches = this.#entries.flatMap((entry) => {
      const params = readParams(entry.segments, segments);
      return params ? [{ ...entry, params }] : [];
    });
    const [match] = matches.filter((entry) => entry.method === handledMethod);
    if (match) return { kind: 'found', handler: match.handler, params: match.params };
    return matches.length > 0
      ? { kind: 'wrong-method', allowedMethods: matches.map((entry) => entry.method) }
      : { kind: 'unknown' };
  }
}

function readParams(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const value = segments[index] ?? '';
    if (segment.startsWith(':')) params[segment.slice(1)] = value;
    else if (segment !== value) return null;
  }
  return params;
}
