/** A file that browsers load, with its compressed forms. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { negotiateEncodings } from '../http/content-encoding.js';

/** For files whose names contain a hash of their content. */
export const CACHED_FOREVER = 'public, max-age=31536000, immutable';

export interface AssetFile {
  /** For the header Content-Type. */
  type: string;
  bodies: Partial<Record<'br' | 'gzip' | 'identity', Buffer>> & { identity: Buffer };
}

/** Answers GET or HEAD in the best encoding of the file that the browser accepts. */
export function sendAsset(file: AssetFile, request: Pick<IncomingMessage, 'method' | 'headers'>, response: ServerResponse): void {
  const encodings = negotiateEncodings(request.headers['accept-encoding']);
  const encoding = encodings.find((candidate) => file.bodies[candidate]) ?? 'identity';
  const body = file.bodies[encoding] ?? file.bodies.identity;
  response.setHeader('Content-Type', file.type);
  response.setHeader('Vary', 'Accept-Encoding');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}
