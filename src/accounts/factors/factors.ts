/**
 * What second factors an account has, and the rules of adding and taking away one: under the account's lock, with the
 * event and the notice in the same transaction. The first factor brings recovery codes, the last one takes them along.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { FactorKind } from '../../contract/authentication.js';
import type { RpcErrorCode } from '../../contract/rpc.js';
import { Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { lockAccount, lockActive } from '../account/lock.js';
import { isActive } from '../sessions/manage-sessions.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext } from '../audit/audit-log.js';
import { requireNotFrozen } from '../account/credential-freeze.js';
import { clearFactorCounters } from '../limits/factor-counters.js';
import type { CountedFactor } from '../limits/factor-counters.js';
import { Outbox } from '../queue/outbox.js';
import type { NoticeKind } from '../queue/outbox.js';
import { RecoveryCodes } from './recovery-codes.js';

export interface FactorStatus {
  totp: boolean;
  keys: number;
  recoveryCodesLeft: number;
}

export type AddedFactor = { kind: 'added'; recoveryCodes?: string[] } | { kind: 'refused'; code: RpcErrorCode };

export interface FactorChange {
  accountId: string;
  factor: FactorKind;
  by: AuditContext;
  /** For the words of the notice. */
  name?: string;
}

export interface FactorAddition extends FactorChange {
  /** Refused when there is any factor: whoever sets one up during a sign-in has shown a password only (security decision D6). */
  onlyFirst: boolean;
  /** Of the account area, or of the set-up during a sign-in: it must not have ended while the factor was looked at. */
  manageSession?: string | undefined;
}

/** What came of writing a factor: why not; or, where it took another one's place, the name of that one. */
type Inserted = RpcErrorCode | { replaced: string } | null;

export interface FactorRemoval extends FactorChange {
  /** False where a factor is required: the last one stays. */
  mayBeLast: boolean;
}

/** The factor is the account's last one and has to stay. Nothing has changed. */
export class LastFactor extends Error {
  constructor() {
    super('The last second factor of this account has to stay.');
    this.name = 'LastFactor';
  }
}

/** Takes back whatever the addition has written. */
class AdditionRefused extends Error {
  constructor(readonly code: RpcErrorCode) {
    super(code);
    this.name = 'AdditionRefused';
  }
}

const NOTICES: Record<'added' | 'removed', Record<FactorKind, NoticeKind>> = {
  added: { totp: 'totp-added', fido2: 'security-key-added' },
  removed: { totp: 'totp-removed', fido2: 'security-key-removed' },
};

const STATUS = new Statement<{ account: string }, { totp: boolean; keys: number; codes: number }>(
  'factors.status',
  ({ slot }) => sql`
    select exists (select from totp_factor where account_id = ${slot('account')}) as totp,
      (select count(*)::integer from security_key where account_id = ${slot('account')}) as keys,
      (select count(*)::integer from recovery_code where account_id = ${slot('account')} and used_at is null) as codes`,
);

@Injectable()
export class Factors {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
    private readonly recovery: RecoveryCodes,
  ) {}

  async status(accountId: string, trx?: Transaction<Schema>): Promise<FactorStatus> {
    const [row] = await this.database.run(STATUS, { account: accountId }, trx);
    return { totp: row?.totp ?? false, keys: row?.keys ?? 0, recoveryCodesLeft: row?.codes ?? 0 };
  }

  /** @param insert writes the factor, or says why not; it sees what the account has under its lock */
  async add(
    { accountId, factor, onlyFirst, manageSession, by, name }: FactorAddition,
    insert: (trx: Transaction<Schema>, held: FactorStatus) => Promise<Inserted>,
  ): Promise<AddedFactor> {
    const { database, recovery } = this;
    const work = database.transaction(async (trx): Promise<AddedFactor> => {
      if (!(await lockActive(accountId, trx))) throw new AdditionRefused('unauthorized');
      const now = database.now();
      if (manageSession !== undefined && !(await isActive({ sessionId: manageSession, now }, trx))) {
        throw new AdditionRefused('unauthorized');
      }
      // A sign-in that wants a first factor is no change from inside, and could not go on without it.
      if (!onlyFirst) await requireNotFrozen({ accountId, now }, trx);
      const held = await this.status(accountId, trx);
      if (onlyFirst && held.totp) throw new AdditionRefused('totp already registered');
      if (onlyFirst && held.keys > 0) throw new AdditionRefused('fido2 already registered');
      const inserted = await insert(trx, held);
      if (typeof inserted === 'string') throw new AdditionRefused(inserted);
      if (inserted) await this.#replaced({ accountId, factor, by, name: inserted.replaced }, held, trx);
      await this.#tell('added', { accountId, factor, by, ...(name === undefined ? {} : { name }) }, trx);
      if (held.totp || held.keys > 0) return { kind: 'added' };
      const recoveryCodes = await recovery.make(accountId, trx);
      await this.#codesMade({ accountId, by }, trx);
      return { kind: 'added', recoveryCodes };
    });
    return work.catch((error: unknown) => {
      if (error instanceof AdditionRefused) return { kind: 'refused', code: error.code };
      throw error;
    });
  }

  /**
   * @param take deletes the factor; null when there is none, else the name it had
   * @throws CredentialsFrozen; LastFactor, decided under the account's lock: of two removals side by side the second one sees the first
   */
  async remove(
    { accountId, factor, by, mayBeLast }: FactorRemoval,
    take: (trx: Transaction<Schema>) => Promise<string | null>,
  ): Promise<boolean> {
    const { database, recovery } = this;
    return database.transaction(async (trx) => {
      await lockAccount(accountId, trx);
      await requireNotFrozen({ accountId, now: database.now() }, trx);
      const name = await take(trx);
      if (name === null) return false;
      const { totp, keys } = await this.status(accountId, trx);
      if (!mayBeLast && !totp && keys === 0) throw new LastFactor();
      const gone: CountedFactor[] = factor === 'totp' ? ['totp', 'totp-setup'] : keys === 0 ? ['fido2'] : [];
      if (!totp && keys === 0) {
        await recovery.remove(accountId, trx);
        gone.push('recovery');
      }
      // What comes in their place is another secret.
      if (gone.length > 0) await clearFactorCounters(this.keys, { accountId, of: gone }, trx);
      await this.#tell('removed', { accountId, factor, by, name }, trx);
      return true;
    });
  }

  /** New recovery codes in place of the old ones. @returns none when the account has no factor that they could stand in for */
  async renewRecoveryCodes({ accountId, by }: Omit<FactorChange, 'factor'>): Promise<string[]> {
    const { database, recovery, outbox } = this;
    return database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx))) return [];
      await requireNotFrozen({ accountId, now: database.now() }, trx);
      const { totp, keys } = await this.status(accountId, trx);
      if (!totp && keys === 0) return [];
      const codes = await recovery.make(accountId, trx);
      await clearFactorCounters(this.keys, { accountId, of: ['recovery'] }, trx);
      await this.#codesMade({ accountId, by }, trx);
      await outbox.queueNotice({ kind: 'recovery-codes-made', accountId, by }, trx);
      return codes;
    });
  }

  /** @param write tells whether there was such a key */
  async renameKey(
    { accountId, by }: Pick<FactorChange, 'accountId' | 'by'>,
    write: (trx: Transaction<Schema>) => Promise<boolean>,
  ): Promise<boolean> {
    const { database, audit } = this;
    return database.transaction(async (trx) => {
      if (!(await write(trx))) return false;
      await audit.record({ ...by, kind: 'factor.renamed', accountId, detail: { factor: 'fido2' } }, trx);
      return true;
    });
  }

  async #replaced(change: FactorChange, held: FactorStatus, trx: Transaction<Schema>): Promise<void> {
    const { accountId, factor } = change;
    const gone: CountedFactor[] = factor === 'totp' ? ['totp', 'totp-setup'] : held.keys === 1 ? ['fido2'] : [];
    if (gone.length > 0) await clearFactorCounters(this.keys, { accountId, of: gone }, trx);
    await this.#tell('removed', change, trx);
  }

  async #tell(what: 'added' | 'removed', { accountId, factor, by, name }: FactorChange, trx: Transaction<Schema>): Promise<void> {
    const { audit, outbox } = this;
    await audit.record({ ...by, kind: `factor.${what}`, accountId, detail: { factor } }, trx);
    const values = name === undefined || name === '' ? {} : { name };
    await outbox.queueNotice({ kind: NOTICES[what][factor], accountId, values, by }, trx);
  }

  async #codesMade({ accountId, by }: Pick<FactorChange, 'accountId' | 'by'>, trx: Transaction<Schema>): Promise<void> {
    await this.audit.record({ ...by, kind: 'recovery-codes.made', accountId }, trx);
  }
}
