/**
 * The admin API has no password. On a developer's machine every web page can send requests to its port, or resolve a
 * name to it. Browsers send headers that other programs do not send, so such requests are refused.
 */
import type { IncomingMessage } from 'node:http';

const OWN_NAMES = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

export function isForeignBrowser({ headers, socket }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined || (site !== undefined && site !== 'none')) return true;
  // DNS rebinding: a foreign name that resolves to the loopback address.
  return isLoopback(socket.localAddress ?? '') && headers.host !== undefined && !OWN_NAMES.test(headers.host);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
