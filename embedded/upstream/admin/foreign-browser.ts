/**
 * The admin API has no password: who reaches its port may use it. On somebody's own machine every web page can send
 * requests to that port, or point a name at it. Programs send neither of the headers by which browsers give pages away.
 */
import type { IncomingMessage } from 'node:http';

const OWN_NAMES = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

export function isForeignBrowser({ headers, socket }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined || (site !== undefined && site !== 'none')) return true;
  // DNS rebinding: a name of somebody else's that leads to the loopback address.
  return isLoopback(socket.localAddress ?? '') && headers.host !== undefined && !OWN_NAMES.test(headers.host);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
