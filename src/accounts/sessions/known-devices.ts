/**
 * Known devices: browsers in which a person has signed in with a password or passkey before, or has set a new password with a link. A mailed
 * code makes a browser known only to an account without a password. Failed attempts of others do not delay a known device
 * (docs/security.md D7); a known device is not a proof. Devices are stored as hashes for 180 days, at most twenty for each account. A reset
 * and "that was not me" forget them, because one of them may belong to the attacker.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import type { AuditContext } from '../audit/audit-log.js';
import { Outbox } from '../queue/outbox.js';
import { toBrowserWords } from './browser-words.js';

const LIFETIME = sql.raw(`interval '180 days'`);
/** A device is stored again when less than this time is left. */
export const RENEWAL_THRESHOLD = sql.raw(`interval '90 days'`);
const MAX_PER_ACCOUNT = 20;
/** Maximum number of mails to one account in a day. A script without cookies is a new device at each sign-in. */
const MAX_NOTICES = 10;
const DAY_SECONDS = 24 * 3600;

const IS_KNOWN = new Statement<{ device: string }, { known: boolean }>(
  'known-device.find-any',
  ({ param, now }) => sql`
    select exists (select from known_device where device_hash = ${param('device')} and expires_at > ${now}) as known`,
);

/** `is_new`: the account had other known devices, but not this one. `over_limit`: the account already had the maximum number of them. */
const REMEMBER = new Statement<{ account: string; device: string; max: number }, { over_limit: boolean; is_new: boolean }>(
  'known-device.remember',
  ({ param, now }) => sql`
    insert into known_device as d (account_id, device_hash, remembered_at, expires_at)
    values (${param('account')}::uuid, ${param('device')}, ${now}, ${now} + ${LIFETIME})
    on conflict (account_id, device_hash) do update
    set remembered_at = excluded.remembered_at, expires_at = excluded.expires_at
    where d.expires_at <= ${now} + ${RENEWAL_THRESHOLD}
    returning (select count(*) from known_device k where k.account_id = d.account_id) >= ${param('max')}::integer as over_limit,
      not exists (select from known_device k where k.account_id = d.account_id and k.device_hash = d.device_hash)
        and exists (select from known_device k where k.account_id = d.account_id and k.expires_at > ${now}) as is_new`,
);

/** Runs after the new device is committed, so that the last of several concurrent runs sees all devices. */
const TRIM = new Statement<{ account: string; max: number }, never>(
  'known-device.trim',
  ({ param }) => sql`
    delete from known_device where account_id = ${param('account')} and device_hash in (
      select device_hash from known_device where account_id = ${param('account')}
      order by remembered_at desc, device_hash offset ${param('max')}::integer)`,
);

@Injectable()
export class KnownDevices {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'accounts'>,
  ) {}

  /**
   * Whether the device is known to any account. A random secret that an attacker planted is not, but the secret of a known device of the
   * attacker's own account is.
   */
  async isKnownToAnyone(device: string): Promise<boolean> {
    const [row] = await this.database.run(IS_KNOWN, { device: fingerprint(device) });
    return row?.known ?? false;
  }

  /**
   * Must run only after a password or passkey, or after a mailed code of an account without a password: each device has its own attempt
   * counter, and sign-ins through a provider could create any number of devices and displace the devices of the owner. If the account has
   * other known devices, a mail notifies the owner of a new device.
   * @returns whether the account may now have too many known devices, so that `trim` must run after the transaction
   */
  async remember(
    {
      accountId,
      device,
      userAgent,
      auditContext,
    }: { accountId: string; device: string; userAgent: string; auditContext: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<boolean> {
    const values = { account: accountId, device: fingerprint(device), max: MAX_PER_ACCOUNT };
    const [row] = await this.database.run(REMEMBER, values, trx);
    if (row?.is_new) await this.#notifyOwner({ accountId, userAgent, auditContext }, trx);
    return row?.over_limit ?? false;
  }

  async #notifyOwner(
    { accountId, userAgent, auditContext }: { accountId: string; userAgent: string; auditContext: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<void> {
    if (!this.config.accounts.sendsNewBrowserMail) return;
    const kind = 'new-browser' as const;
    if ((await this.outbox.countQueued({ kind, accountId, seconds: DAY_SECONDS }, trx)) >= MAX_NOTICES) return;
    const browser = toBrowserWords(userAgent);
    await this.outbox.queueNotice({ kind, accountId, values: browser === null ? {} : { browser }, auditContext }, trx);
  }

  /** Forgets the oldest devices beyond the limit. */
  async trim(accountId: string): Promise<void> {
    await this.database.run(TRIM, { account: accountId, max: MAX_PER_ACCOUNT });
  }
}

/** Forgets the known devices of an account, in the transaction of a change. @param device secret of a device that stays known */
export async function forgetDevices(accountId: string, trx: Transaction<Schema>, device: string | null = null): Promise<void> {
  await trx
    .deleteFrom('known_device')
    .where('account_id', '=', accountId)
    .$if(device !== null, (query) => query.where('device_hash', '<>', fingerprint(device ?? '')))
    .execute();
}

/**
 * Makes the browser known in which a password was just set with a link, so that a person who floods the account, or who is in the same
 * network as the owner, cannot lock the owner out of this browser. After a reset, runs after `forgetDevices`.
 * @param device a new secret, because an attacker may have copied the earlier secret of the browser
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
