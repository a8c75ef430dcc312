/**
 * Browsers in which somebody has signed in by password before. Such a browser is not held up by the wrong guesses of
 * strangers (security decision D7); it proves nothing else. Kept as hashes, 180 days, the twenty newest of each person,
 * until a reset or "that was not me": whoever had a browser then may be the thief.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { isAccountId } from '../account/account.js';

const LIFETIME = sql.raw(`interval '180 days'`);
/** While more than this is left, remembering again would only write. */
export const FRESH_DEVICE = sql.raw(`interval '90 days'`);
const MOST_PER_ACCOUNT = 20;

const FIND_ANY = new Statement<{ device: string }, { known: boolean }>(
  'known-device.find-any',
  ({ slot, now }) => sql`
    select exists (select from known_device where device_hash = ${slot('device')} and expires_at > ${now}) as known`,
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

/** On its own, after the new device is committed: of several that come at once the last one to trim sees all of them. */
const TRIM = new Statement<{ account: string; most: number }, never>(
  'known-device.trim',
  ({ slot }) => sql`
    delete from known_device where account_id = ${slot('account')} and device_hash in (
      select device_hash from known_device where account_id = ${slot('account')}
      order by remembered_at desc, device_hash offset ${slot('most')}::integer)`,
);

@Injectable()
export class KnownDevices {
  constructor(private readonly database: Database) {}

  /** Whether some account knows it. An id that a stranger may have planted is known to somebody else, or to nobody. */
  async isKnownToAnyone(device: string): Promise<boolean> {
    const [row] = await this.database.run(FIND_ANY, { device: fingerprint(device) });
    return row?.known ?? false;
  }

  /**
   * After a password alone: each device has guesses of its own at it, and whoever comes by a provider could make as many
   * devices as they like, and push out the owner's.
   */
  async remember(device: string, accountId: string): Promise<void> {
    if (!isAccountId(accountId)) return;
    const most = MOST_PER_ACCOUNT;
    const [row] = await this.database.run(REMEMBER, { device: fingerprint(device), account: accountId, most });
    if (row?.crowded) await this.database.run(TRIM, { account: accountId, most });
  }
}

/** Part of changes after which a browser that was let in before is no better than another. @param device goes on being known */
export async function forgetDevicesOf(accountId: string, trx: Transaction<Schema>, device: string | null = null): Promise<void> {
  await trx
    .deleteFrom('known_device')
    .where('account_id', '=', accountId)
    .$if(device !== null, (query) => query.where('device_hash', '<>', fingerprint(device ?? '')))
    .execute();
}
