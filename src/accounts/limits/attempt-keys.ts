/**
 * Under which keys failures are counted. All are keyed MACs: the table names nobody, and a name that no account has is
 * counted exactly like one that has.
 */
import { fingerprint } from '../../config/keys.js';
import type { Keys } from '../../config/keys.js';
import { usernameKey } from '../account/username.js';
import { networkOf } from '../audit/network.js';

/** Of a name that no account can have, so much counts. */
const LONGEST_NAME = 256;

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
