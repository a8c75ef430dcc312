/**
 * Under which keys failures are counted. All are keyed MACs: the table names nobody, and a name that no account has is
 * counted exactly like one that has.
 */
import { isIPv6 } from 'node:net';
import { fingerprint } from '../../config/keys.js';
import type { Keys } from '../../config/keys.js';
import { usernameKey } from '../account/username.js';

/** Of a name that no account can have, so much counts. */
const LONGEST_NAME = 256;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

export interface KnownDevice {
  secret: string;
  accountId: string;
}

export function nameCounter(keys: Keys, username: string): string {
  return `n:${keys.mac('limits', `name\n${usernameKey(username) ?? username.slice(0, LONGEST_NAME)}`)}`;
}

/** Of one browser and one person: what strangers do elsewhere does not count here. */
export function deviceCounter(keys: Keys, { secret, accountId }: KnownDevice): string {
  return `d:${keys.mac('limits', `device\n${accountId}\n${fingerprint(secret)}`)}`;
}

export function addressCounter(keys: Keys, address: string): string {
  return `a:${keys.mac('limits', `address\n${networkOf(address)}`)}`;
}

/**
 * What one subscriber has: an IPv4 address, or a /64 of IPv6 (RFC 6177), out of which anybody can take a new address for
 * each try.
 */
export function networkOf(address: string): string {
  const bare = address.split('%', 1)[0] ?? '';
  const mapped = MAPPED_IPV4.exec(bare)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(bare)) return bare;
  const [head = '', tail] = bare.toLowerCase().split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(8 - left.length - right.length, 0)).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}

/** For people: enough to know one's own network by, and no more. */
export function shownNetwork(address: string): string {
  const network = networkOf(address);
  return network.includes('/') ? network.replace('::/64', ':x') : network.replace(/\.\d+$/, '.x');
}
