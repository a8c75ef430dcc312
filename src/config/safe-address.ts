/**
 * Checks addresses to which codes, secrets and identities are sent: https is required, except for addresses of this machine.
 */
import { isIP } from 'node:net';

/** Whether the address is https, or http on this machine, and has no user name, password, query or fragment. */
export function isSafeAddress(value: string): boolean {
  if (/[\s\p{Cc}#?]/u.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** @param host a host name or an IP address; an IPv6 address may be in brackets, as in `URL` */
export function isIpAddress(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0;
}

/** @param host a host name or an IP address; an IPv6 address may be in brackets, as in `URL` */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || host === '[::1]' || host === '::1'
  );
}
