/**
 * Keys of the counters of failed attempts. Each key contains a keyed MAC in place of the name, device or address, so the table
 * contains none of them. Unknown names are counted like known names.
 */
import { fingerprint, type Keys } from '../../config/keys.js';
import { foldText } from '../../contract/folded-text.js';
import { toUsernameKey } from '../account/username.js';
import { toNetwork } from '../audit/network.js';

/** Longer names are cut, because no account has a longer name. */
const MAX_NAME_LENGTH = 256;

export interface KnownDevice {
  secret: string;
  accountId: string;
}

export function toNameCounter(keys: Keys, username: string): string {
  return toKeyCounter(keys, toNameKey(username));
}

/** @param key from `toNameKey` */
export function toKeyCounter(keys: Keys, key: string): string {
  return `n:${keys.mac('limits', `name\n${key}`)}`;
}

/** A text that cannot be a username in Foyer may be a name at a user source, which ignores case and surrounding whitespace. */
export function toNameKey(name: string): string {
  return toUsernameKey(name) ?? foldText(name.trim().slice(0, MAX_NAME_LENGTH));
}

/** The counter of one browser of one account. It does not count failures in other browsers. */
export function toDeviceCounter(keys: Keys, { secret, accountId }: KnownDevice): string {
  return `d:${keys.mac('limits', `device\n${accountId}\n${fingerprint(secret)}`)}`;
}

export function toAddressCounter(keys: Keys, address: string): string {
  return `a:${keys.mac('limits', `address\n${toNetwork(address)}`)}`;
}
