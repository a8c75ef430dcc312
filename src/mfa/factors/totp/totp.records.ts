/** Stores authenticator apps, at most one for each account: the sealed seed and the last used step (RFC 6238, section 5.2). */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { recordProofSql, type ProvenValues } from '../../../accounts/limits/factor-attempts.js';
import { Keys } from '../../../config/keys.js';
import { Database } from '../../../database/database.js';
import type { Schema } from '../../../database/schema.js';
import { FactorUnreadable } from '../../factor.errors.js';
import type { FactorTransfer } from '../../factor.port.js';
import type { FactorTimes } from '../../factor-times.js';
import { TOTP } from './totp.kind.js';
import { buildTotpTransfer } from './totp.transfer.js';
import { Statement } from '../../../database/statement.js';

export interface TotpSeed {
  /** Base32. */
  seed: string;
  /** As it is stored. */
  sealedSeed: string;
  /** The seed is sealed with an older secret; `take` seals it again. */
  outdated: boolean;
  /** The time of the database. It decides whether a code is valid, because the clocks of gateways may differ. */
  now: Date;
}

export interface TotpUse {
  accountId: string;
  /** Number of the code's time step. */
  step: number;
}

/** @member newSecret the seed, sealed with the newest secret; null if it is sealed with that already */
type TakeValues = ProvenValues & { step: number; secret: string; newSecret: string | null };

const FIND = new Statement<{ account: string }, { secret: string; now: Date }>(
  'totp.find',
  ({ param, now }) => sql`select secret, ${now} as now from totp_factor where account_id = ${param('account')}`,
);

/**
 * The share lock waits for a transaction that disables the account, and then sees its result. If another app was set up since
 * the seed was read, the code of the earlier app changes nothing.
 */
const TAKE = new Statement<TakeValues, { account_id: string }>('totp.take', (placeholders) => {
  const { param, now } = placeholders;
  return sql`
    with owner as (
      select id from account where id = ${param('account')} and status = 'active' for share
    ), spent as (
      update totp_factor t
      set last_step = ${param('step')}, last_used_at = ${now}, secret = coalesce(${param('newSecret')}::text, t.secret)
      from owner
      where t.account_id = owner.id and t.last_step < ${param('step')} and t.secret = ${param('secret')}
      returning t.account_id
    ), ${recordProofSql(placeholders)}
    select account_id from spent`;
});

@Injectable()
export class TotpRecords {
  readonly transfer: FactorTransfer;

  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
  ) {
    this.transfer = buildTotpTransfer(database, keys);
  }

  /** @throws FactorUnreadable */
  async find(accountId: string): Promise<TotpSeed | null> {
    const [row] = await this.database.run(FIND, { account: accountId });
    if (!row) return null;
    const result = this.keys.openKept('totp-seed', row.secret);
    if (!result) throw new FactorUnreadable(TOTP.name);
    return { seed: result.plaintext, sealedSeed: row.secret, outdated: result.outdated, now: row.now };
  }

  /**
   * Consumes a step.
   * @returns false if this or a later step was used, the app was removed or replaced, or the account is not active
   */
  async take(step: number, totp: TotpSeed, proof: ProvenValues): Promise<boolean> {
    if (await this.#takeIfUnchanged(step, totp, proof)) return true;
    const current = await this.find(proof.account);
    // The same seed may have been sealed again since it was read.
    const isResealed = current !== null && current.seed === totp.seed && current.sealedSeed !== totp.sealedSeed;
    return isResealed && this.#takeIfUnchanged(step, current, proof);
  }

  async #takeIfUnchanged(step: number, { seed, sealedSeed, outdated }: TotpSeed, proof: ProvenValues): Promise<boolean> {
    const newSecret = outdated ? this.keys.seal('totp-seed', seed) : null;
    return (await this.database.run(TAKE, { ...proof, step, secret: sealedSeed, newSecret })).length > 0;
  }

  /** @returns false if the account already has an app */
  async insert({ accountId, step }: TotpUse, seed: string, trx: Transaction<Schema>): Promise<boolean> {
    const rows = await trx
      .insertInto('totp_factor')
      .values({
        account_id: accountId,
        secret: this.keys.seal('totp-seed', seed),
        // The code of the set-up cannot be used again.
        last_step: step,
        created_at: this.database.now(),
      })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .returning('account_id')
      .execute();
    return rows.length > 0;
  }

  async remove(accountId: string, trx: Transaction<Schema>): Promise<boolean> {
    const { numDeletedRows } = await trx.deleteFrom('totp_factor').where('account_id', '=', accountId).executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  async describe(accountId: string): Promise<FactorTimes | null> {
    const row = await this.database.db
      .selectFrom('totp_factor')
      .select(['created_at', 'last_used_at'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row ? { createdAt: row.created_at, lastUsedAt: row.last_used_at } : null;
  }
}
