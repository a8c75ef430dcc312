/**
 * Accepts only requests to the host names of this listener, against DNS rebinding: a web page whose name resolves to
 * 127.0.0.1 has the same origin as this API and could read its answers.
 */
import { isIP } from 'node:net';
import type { Middleware } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i;
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];
const WILDCARD_ADDRESSES = ['0.0.0.0', '::'];

/**
 * @param hostNames the address on which the API listens, then further host names that clients use. If the API listens on all
 * addresses, every IP address is accepted too.
 */
export function requireOwnHost(hostNames: readonly string[]): Middleware {
  const ownHosts = new Set([...LOOPBACK, ...hostNames.map((name) => name.toLowerCase())]);
  const acceptsAddresses = WILDCARD_ADDRESSES.includes(hostNames[0] ?? '');
  return (request, _response, next) => {
    const name = parseHostName(request.headers.host ?? '');
    if (name !== null && (ownHosts.has(name) || (acceptsAddresses && isIP(name) !== 0))) return next();
    next(
      new OperatorFault(
        421,
        'host_unknown',
        'The operator API does not accept this host name: use localhost, or a name in OPERATOR_HOST or OPERATOR_HOST_NAMES.',
      ),
    );
  };
}

/** @returns the name or address without port and brackets; null if the header is malformed */
function parseHostName(host: string): string | null {
  const [, address, name] = HOST.exec(host) ?? [];
  return (address ?? name)?.toLowerCase() ?? null;
}
