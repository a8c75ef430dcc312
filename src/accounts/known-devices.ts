/**
 * Browsers in which somebody has signed in before. Such a browser is not held up by the wrong guesses of strangers
 * (security decision D7); it proves nothing else. Kept as hashes, 180 days, the twenty newest of each person.
 */
import { sql } from 'kysely';
import { fingerprint } from '../config/keys.js';
import type { Database } from '../database/database.js';
import { Statement } from '../database/statement.js';
import { isAccountId } from './account.js';

const LIFETIME = sql.raw(`interval '180 days'`);
/** While more than this is left, remembering again would only write. */
export const FRESH_DEVICE = sql.raw(`interval '90 days'`);
const MOST_PER_ACCOUNT = 20;

/** A device as it is kept after a password, and after anything else. */
type Hashes = Record<'device' | 'other', string>;

const FIND = new Statement<Hashes & { account: string }, unknown>(
  'known-device.find',
  ({ slot, now }) => sql`
    select from known_device
    where account_id = ${slot('account')} and device_hash in (${slot('device')}, ${slot('other')}) and expires_at > ${now}`,
);

const FIND_ANY = new Statement<Hashes, { known: boolean }>(
  'known-device.find-any',
  ({ slot, now }) => sql`
    select exists (
      select from known_device where device_hash in (${slot('device')}, ${slot('other')}) and expires_at > ${now}) as known`,
);

/** Tells whether it may be time to trim: the count is of before, and a device that was known counts as well. */
const REMEMBER = new Statement<{ device: string; account: string; most: number }, { crowded: boolean }>(
  'known-device.remember',
  ({ slot, now }) => sql`
    insert into known_device as d (account_id, device_hash, remembered_at, expires_at)
    select id, ${slot('device')}::text, ${now}, ${now} + ${LIFETIME} from account where id = ${slot('account')}
    on conflict (account_id, device_hash) do update
    set remembered_at = excluded.remembered_at, expires_at = excluded.expires_at
    where d.expires_at <= ${now} + ${FRESH_DEVICE}
    returning (select count(*) from known_device k where k.account_id = d.account_id) >= ${slot('most')}::integer as crowded`,
);

/** On its own, after the newcomer is committed: of several that come at once the last one to trim sees all of them. */
const TRIM = new Statement<{ account: string; most: number }, never>(
  'known-device.trim',
  ({ slot }) => sql`
    delete from known_device where account_id = ${slot('account')} and device_hash in (
      select device_hash from known_device where account_id = ${slot('account')}
      order by remembered_at desc, device_hash offset ${slot('most')}::integer)`,
);

export class KnownDevices {
  constructor(private readonly database: Database) {}

  /** For ways of signing in other than by password, which asks in its own statement for those that have shown one. */
  async isKnown(device: string, accountId: string): Promise<boolean> {
    if (!isAccountId(accountId)) return false;
    return (await this.database.run(FIND, { ...hashesOf(device), account: accountId })).length > 0;
  }

  /** Whether some account knows it. An id that a stranger may have planted is known to somebody else, or to nobody. */
  async isKnownToAnyone(device: string): Promise<boolean> {
    const [row] = await this.database.run(FIND_ANY, hashesOf(device));
    return row?.known ?? false;
  }

  /**
   * @param proven without a password it is known for other ways of signing in only: each device has guesses of its own at
   *   the password, and whoever comes by a provider could make as many devices as they like
   */
  async remember(device: string, accountId: string, proven: 'password' | 'other' = 'password'): Promise<void> {
    if (!isAccountId(accountId)) return;
    const most = MOST_PER_ACCOUNT;
    const hashes = hashesOf(device);
    const kept = proven === 'password' ? hashes.device : hashes.other;
    const [row] = await this.database.run(REMEMBER, { device: kept, account: accountId, most });
    if (row?.crowded) await this.database.run(TRIM, { account: accountId, most });
  }
}

function hashesOf(device: string): Hashes {
  return { device: fingerprint(device), other: fingerprint(`other\n${device}`) };
}
