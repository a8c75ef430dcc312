/**
 * Detects requests from web pages. The admin API requires no authentication, and on a developer's machine any web page could send
 * requests to its port. Browsers send headers that other programs usually do not send.
 */
import type { IncomingMessage } from 'node:http';

const OWN_NAMES = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

export function isForeignBrowser({ headers, socket }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined || (site !== undefined && site !== 'none')) return true;
  // DNS rebinding: an attacker's host name resolves to the loopback address.
  return isLoopback(socket.localAddress ?? '') && headers.host !== undefined && !OWN_NAMES.test(headers.host);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
