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

interface DeviceRow {
  fresh: boolean;
}

const FIND = new Statement<{ device: string; account: string }, DeviceRow>(
  'known-device.find',
  ({ slot, now }) => sql`
    select expires_at > ${now} + ${FRESH_DEVICE} as fresh from known_device
    where account_id = ${slot('account')} and device_hash = ${slot('device')} and expires_at > ${now}`,
);

const FIND_ANY = new Statement<{ device: string }, { known: boolean }>(
  'known-device.find-any',
  ({ slot, now }) => sql`
    select exists (select from known_device where device_hash = ${slot('device')} and expires_at > ${now}) as known`,
);

export class KnownDevices {
  constructor(private readonly database: Database) {}

  async isKnown(device: string, accountId: string): Promise<boolean> {
    return (await this.#find(device, accountId)) !== undefined;
  }

  /** Whether some account knows it. An id that a stranger may have planted is known to somebody else, or to nobody. */
  async isKnownToAnyone(device: string): Promise<boolean> {
    const [row] = await this.database.run(FIND_ANY, { device: fingerprint(device) });
    return row?.known ?? false;
  }

  async remember(device: string, accountId: string): Promise<void> {
    if (!isAccountId(accountId) || (await this.#find(device, accountId))?.fresh) return;
    const now = this.database.now();
    await this.database.transaction(async (trx) => {
      // One at a time for each person: otherwise two that trim side by side both spare the other's.
      const owner = await trx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().executeTakeFirst();
      if (!owner) return;
      await sql`
        insert into known_device (account_id, device_hash, remembered_at, expires_at)
        values (${accountId}, ${fingerprint(device)}, ${now}, ${now} + ${LIFETIME})
        on conflict (account_id, device_hash) do update
        set remembered_at = excluded.remembered_at, expires_at = excluded.expires_at`.execute(trx);
      await sql`
        delete from known_device where account_id = ${accountId} and device_hash in (
          select device_hash from known_device where account_id = ${accountId}
          order by remembered_at desc, device_hash offset ${MOST_PER_ACCOUNT})`.execute(trx);
    });
  }

  async #find(device: string, accountId: string): Promise<DeviceRow | undefined> {
    if (!isAccountId(accountId)) return undefined;
    const [row] = await this.database.run(FIND, { device: fingerprint(device), account: accountId });
    return row;
  }
}
