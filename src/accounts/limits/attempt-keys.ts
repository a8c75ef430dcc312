/**
 * Keys of the counters of failed attempts. All are keyed MACs: the table contains no names, and unknown names are
 * counted like known ones.
 */
import { fingerprint, type Keys } from '../../config/keys.js';
import { foldText } from '../../contract/folded-text.js';
import { usernameKey } from '../account/username.js';
import { toNetwork } from '../audit/network.js';

/** Longer names are cut; no account has one. */
const LONGEST_NAME = 256;

export interface KnownDevice {
  secret: string;
  accountId: string;
}

export function nameCounter(keys: Keys, username: string): string {
  return keyCounter(keys, nameKey(username));
}

/** @param key of `nameKey` */
export function keyCounter(keys: Keys, key: string): string {
  return `n:${keys.mac('limits', `name\n${key}`)}`;
}

/** What no account can be called may be a name at a user source, which ignores case and the blanks around it. */
export function nameKey(name: string): string {
  return usernameKey(name) ?? foldText(name.trim().slice(0, LONGEST_NAME));
}

/** One browser of one person: failures of strangers elsewhere are not counted here. */
export function deviceCounter(keys: Keys, { secret, accountId }: KnownDevice): string {
  return `d:${keys.mac('limits', `device\n${accountId}\n${fingerprint(secret)}`)}`;
}

export function addressCounter(keys: Keys, address: string): string {
  return `a:${keys.mac('limits', `address\n${toNetwork(address)}`)}`;
}
