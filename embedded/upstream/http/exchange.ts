/**
 * One request and its answer: path, query, cookies, a limited body, and the kinds of answers. The routes and `ports.ts` decide
 * how errors are answered.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Query } from './query.js';

const MAX_BODY_BYTES = 1024 * 1024;
/** A larger body is read up to this size and discarded, so that the sender receives the answer. */
const MAX_DISCARDED_BYTES = 16 * MAX_BODY_BYTES;
const FORM = 'application/x-www-form-urlencoded';

export class BodyTooLarge extends Error {}

export class Exchange {
  readonly path: string;
  readonly rawQuery: string;
  readonly query: Query;
  #body: Promise<string> | undefined;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
  ) {
    const target = req.url ?? '/';
    const separatorIndex = target.indexOf('?');
    this.path = separatorIndex < 0 ? target : target.slice(0, separatorIndex);
    this.rawQuery = separatorIndex < 0 ? '' : target.slice(separatorIndex + 1);
    this.query = Query.parse(this.rawQuery);
  }

  get method(): string {
    return this.req.method ?? 'GET';
  }

  /** True if the connection was closed before the body was complete: by the sender, or because the body is too large to discard. */
  get isAbandoned(): boolean {
    return this.req.destroyed && !this.req.complete;
  }

  /** Path and query as received. */
  get target(): string {
    return this.req.url ?? '/';
  }

  cookie(name: string): string | undefined {
    for (const pair of (this.req.headers.cookie ?? '').split(';')) {
      const separatorIndex = pair.indexOf('=');
      if (separatorIndex > 0 && pair.slice(0, separatorIndex).trim() === name) return pair.slice(separatorIndex + 1).trim();
    }
    return undefined;
  }

  addCookie(cookie: string): void {
    this.res.appendHeader('Set-Cookie', cookie);
  }

  /** @throws BodyTooLarge */
  body(): Promise<string> {
    this.#body ??= readBody(this.req);
    return this.#body;
  }

  /** @returns the form in the body; empty for any other content type. @throws BodyTooLarge */
  async form(): Promise<Query> {
    return this.bodyType === FORM ? Query.parse(await this.body()) : new Query();
  }

  get bodyType(): string {
    return (this.req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  }

  json(value: unknown, status = 200, type = 'application/json; charset=utf-8'): void {
    this.send(status, type, JSON.stringify(value));
  }

  send(status: number, type: string, body: string): void {
    this.res.statusCode = status;
    this.res.setHeader('Content-Type', type);
    this.res.setHeader('Content-Length', Buffer.byteLength(body));
    this.res.end(body);
  }

  sendEmpty(status: number): void {
    this.res.statusCode = status;
    if (status !== 204) this.res.setHeader('Content-Length', 0);
    this.res.end();
  }

  redirect(location: string): void {
    this.res.setHeader('Location', toHeaderText(location));
    if (this.method === 'POST') return this.sendEmpty(302);
    this.send(302, 'text/html; charset=utf-8', `<a href="${escapeHtml(location)}">Found</a>.\n\n`);
  }
}

/** Percent-encodes all characters except visible ASCII characters. */
export function toHeaderText(address: string): string {
  return address.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(Buffer.from(part).toString()));
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&#34;')
    .replaceAll("'", '&#39;');
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) break;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes > MAX_BODY_BYTES) throw new BodyTooLarge();
  return Buffer.concat(chunks).toString();
}
