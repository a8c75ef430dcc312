/** The answer of a handler. The site adds the headers that all answers have. */
import type { Html } from './html.js';

export interface Reply {
  status: number;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: string | Buffer;
}

export function page(content: Html, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: `<!doctype html>${content.text}`,
  };
}

/** 303: the browser continues with GET, whatever the request was (RFC 9110, section 15.4.4). */
export function redirect(location: string, cookies: readonly string[] = []): Reply {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) },
    body: '',
  };
}

export function json(value: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  };
}

export function text(body: string, status = 200): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }, body };
}
