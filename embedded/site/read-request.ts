/** Converts Node's request to a plain value for handlers, and refuses invalid requests. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parseCookie } from 'cookie';

/** RFC 9110, section 7.2: a name or an address, with an optional port. */
const HOST = /^([a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;
const BODY_LIMIT_BYTES = 256 * 1024;

export interface SiteRequest {
  method: string;
  url: URL;
  params: Readonly<Record<string, string>>;
  headers: IncomingHttpHeaders;
  cookies: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** A request that is refused before any handler runs. The message is sent as plain text, unless the site renders its own error page. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * @param hosts host names of this site. The name of an attacker's page may resolve to this machine (DNS rebinding). The page would
 * then have the same origin and could read the answers
 */
export function requireKnownHost(request: IncomingMessage, hosts: ReadonlySet<string>): void {
  const name = HOST.exec(request.headers.host ?? '')?.[1]?.toLowerCase();
  if (name === undefined || !hosts.has(name)) throw new RequestError(421, 'This server does not answer to this host name.');
}

/** Refuses forms that a page of another origin posts (CSRF). Other programs usually send neither `Origin` nor `Sec-Fetch-Site`. */
export function requireSameOrigin(request: IncomingMessage): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isForeignOrigin = origin !== undefined && readAddress(origin)?.host !== host;
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeignOrigin || isForeignSite) throw new RequestError(403, 'The form was sent by another site.');
}

/** @throws RequestError 400 or 413 */
export async function readRequest(request: IncomingMessage): Promise<SiteRequest> {
  const url = readAddress(`http://${request.headers.host ?? ''}${request.url ?? ''}`);
  if (!url) throw new RequestError(400, 'The address is malformed.');
  return {
    method: request.method ?? 'GET',
    url,
    params: {},
    headers: request.headers,
    cookies: parseCookie(request.headers.cookie ?? ''),
    body: await readBody(request),
  };
}

/** If the body is too large, the rest is read and not stored, so that the sender receives the answer. */
function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
    });
    request.once('end', () => {
      if (size > BODY_LIMIT_BYTES) reject(new RequestError(413, 'The request is too large.'));
      else resolve(Buffer.concat(chunks).toString('utf8'));
    });
    const refuseIncompleteRequest = (): void =>
      reject(new RequestError(400, 'The connection was closed before the request was complete.'));
    request.once('error', refuseIncompleteRequest).once('close', refuseIncompleteRequest);
  });
}

function readAddress(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
