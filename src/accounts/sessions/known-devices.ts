/**
 * Browsers in which a person has signed in by password or passkey before, or has set a new password with a link. Failed
 * attempts of others do not delay them (docs/security.md D7); they prove nothing else. Stored as hashes for 180 days, at most
 * twenty for each account, until a reset or "that was not me": then a known browser may be the attacker's.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement, type Placeholders } from '../../database/statement.js';

const LIFETIME = sql.raw(`interval '180 days'`);
/** While more than this is left, the device is not written again. */
export const FRESH_DEVICE = sql.raw(`interval '90 days'`);
const MOST_PER_ACCOUNT = 20;

const FIND_ANY = new Statement<{ device: string }, { known: boolean }>(
  'known-device.find-any',
  ({ param, now }) => sql`
    select exists (select from known_device where device_hash = ${param('device')} and expires_at > ${now}) as known`,
);

/** `device`: its fingerprint. `most`: number of devices that an account keeps. */
export type DeviceValues = { device: string | null; most: number };

/**
 * Only after a password or passkey: each device has its own attempt counter, and a sign-in through a provider could create any number of
 * devices and push out the owner's. `crowded` says whether to trim: the count is from before the insert and includes an
 * already known device. `is_new`: the account knew others, and never this one.
 * @param owner a table with the id of the account, locked, and the condition
 */
export function rememberDeviceSql(
  { param, now }: Pick<Placeholders<DeviceValues>, 'param' | 'now'>,
  owner: RawBuilder<unknown>,
): RawBuilder<{ crowded: boolean; is_new: boolean }> {
  return sql<{ crowded: boolean; is_new: boolean }>`
    insert into known_device as d (account_id, device_hash, remembered_at, expires_at)
    select id, ${param('device')}::text, ${now}, ${now} + ${LIFETIME} from ${owner}
    on conflict (account_id, device_hash) do update
    set remembered_at = excluded.remembered_at, expires_at = excluded.expires_at
    where d.expires_at <= ${now} + ${FRESH_DEVICE}
    returning (select count(*) from known_device k where k.account_id = d.account_id) >= ${param('most')}::integer as crowded,
      not exists (select from known_device k where k.account_id = d.account_id and k.device_hash = d.device_hash)
        and exists (select from known_device k where k.account_id = d.account_id and k.expires_at > ${now}) as is_new`;
}

/** Runs after the new device is committed: the last of several concurrent runs sees all of them. */
const TRIM = new Statement<{ account: string; most: number }, never>(
  'known-device.trim',
  ({ param }) => sql`
    delete from known_device where account_id = ${param('account')} and device_hash in (
      select device_hash from known_device where account_id = ${param('account')}
      order by remembered_at desc, device_hash offset ${param('most')}::integer)`,
);

@Injectable()
export class KnownDevices {
  constructor(private readonly database: Database) {}

  /** Whether any account knows it. A device id planted by an attacker is known to another account or to none. */
  async isKnownToAnyone(device: string): Promise<boolean> {
    const [row] = await this.database.run(FIND_ANY, { device: fingerprint(device) });
    return row?.known ?? false;
  }

  /** For a statement with `rememberDeviceSql` in it. */
  valuesOf(device: string | null): DeviceValues {
    return { device: device === null ? null : fingerprint(device), most: MOST_PER_ACCOUNT };
  }

  /** After such a statement, if it says `crowded`. */
  async trim(accountId: string): Promise<void> {
    await this.database.run(TRIM, { account: accountId, most: MOST_PER_ACCOUNT });
  }
}

/** Runs in changes after which earlier browsers are no longer trusted. @param device stays known */
export async function forgetDevicesOf(accountId: string, trx: Transaction<Schema>, device: string | null = null): Promise<void> {
  await trx
    .deleteFrom('known_device')
    .where('account_id', '=', accountId)
    .$if(device !== null, (query) => query.where('device_hash', '<>', fingerprint(device ?? '')))
    .execute();
}

/**
 * Runs after `forgetDevicesOf`, so that whoever floods the account or shares the network of its owner does not keep the owner out
 * of the browser in which the password was just set.
 * @param device a new secret: whoever has copied that of the browser would be known too
 */
export async function rememberResetDevice(
  { accountId, device, now }: { accountId: string; device: string; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  await trx
    .insertInto('known_device')
    .values({
      account_id: accountId,
      device_hash: fingerprint(device),
      remembered_at: now,
      expires_at: sql`${now} + ${LIFETIME}`,
    })
    .execute();
}
