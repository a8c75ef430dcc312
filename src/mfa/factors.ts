/**
 * Counts, adds, renames and removes the second factors and passkeys of an account, and renews its recovery codes. All changes
 * except a new name run under the account's lock, and write the audit event and the notice in the same transaction. Recovery codes
 * are created with the first second factor and removed with the last.
 */
import { Inject, Injectable } from '@nestjs/common';
import { ChangeRefused } from '../accounts/account/account.errors.js';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { requireNotFrozen } from '../accounts/account/credential-freeze.js';
import { countFactorsSql, type FactorCounts } from '../accounts/account/factor-counts.js';
import { lockAccount, lockActive, type ChangingSession } from '../accounts/account/lock.js';
import { AuditLog, type AuditContext } from '../accounts/audit/audit-log.js';
import { LastSignInMethod, canSignIn } from '../accounts/identities/sign-in-methods.js';
import { clearFactorCounters } from '../accounts/limits/factor-counters.js';
import { Outbox } from '../accounts/queue/outbox.js';
import { findSignedInSession } from '../accounts/sessions/browser-session-statements.js';
import { forgetFactorProofs } from '../accounts/sessions/manage-sessions.js';
import { forgetSignIns } from '../accounts/sessions/sign-in-records.js';
import { endTrust } from '../accounts/sessions/trusted-browsers.js';
import { defined } from '../config/defined.js';
import { Keys } from '../config/keys.js';
import type { RpcErrorCode } from '../contract/rpc.js';
import { Database } from '../database/database.js';
import type { Schema } from '../database/schema.js';
import { Statement } from '../database/statement.js';
import { USED_KINDS, type SetUpResult, type FactorKind, type RemoveRequest, type SignedInBrowser } from './factor.port.js';
import { countFactors, toCount, hasFactor, isSecondFactor } from './held-factors.js';
import { RECOVERY } from './recovery-codes/recovery-codes.kind.js';
import { RecoveryCodes } from './recovery-codes/recovery-codes.js';

export interface FactorChange {
  accountId: string;
  factor: FactorKind;
  auditContext: AuditContext;
  /** Name of the factor in the notice. */
  name?: string;
}

export interface FactorAddition extends FactorChange {
  /**
   * Refuses the addition if the account has any factor or passkey, because a set-up during a sign-in needs only the first factor
   * (docs/security.md D6).
   */
  onlyFirst: boolean;
  /** Session of the account area or of the set-up during a sign-in. The session is checked again under the account's lock. */
  manageSession?: ChangingSession | undefined;
  signedIn?: SignedInBrowser | undefined;
}

/** The reason for a refusal, the name of the factor that was replaced, or null for an additional factor. */
type InsertResult = RpcErrorCode | { replaced: string } | null;

/** A request for new recovery codes. */
export type CodesRenewal = Pick<RemoveRequest, 'accountId' | 'auditContext' | 'manageSession'>;

export interface FactorRemoval extends RemoveRequest {
  factor: FactorKind;
}

/** The account would have neither second factor nor passkey, although one is required. Nothing has changed. */
export class LastFactor extends Error {
  constructor() {
    super('The last factor of this account cannot be removed.');
    this.name = 'LastFactor';
  }
}

/** Thrown to roll the addition back. */
class AdditionRefused extends Error {
  constructor(readonly code: RpcErrorCode) {
    super(code);
    this.name = 'AdditionRefused';
  }
}

const STATUS = new Statement<{ account: string }, { counts: FactorCounts }>(
  'factors.status',
  ({ param }) => sql`select ${countFactorsSql(param('account'))} as counts`,
);

@Injectable()
export class Factors {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
    readonly recoveryCodes: RecoveryCodes,
    @Inject(USED_KINDS) private readonly kinds: readonly FactorKind[],
  ) {}

  async readCounts(accountId: string, trx?: Transaction<Schema>): Promise<FactorCounts> {
    const [row] = await this.database.run(STATUS, { account: accountId }, trx);
    return row?.counts ?? {};
  }

  /** @returns the kinds that the account has and the installation uses, without recovery codes */
  findUsableKinds(counts: FactorCounts): FactorKind[] {
    return this.kinds.filter((kind) => toCount(counts, kind) > 0);
  }

  /** Whether the account has exactly one second factor or passkey, which `remove` does not remove if one is required. */
  hasOnlyOne(counts: FactorCounts): boolean {
    const passkeyKinds = this.findUsableKinds(counts).filter((kind) => !isSecondFactor(kind));
    return passkeyKinds.reduce((sum, kind) => sum + toCount(counts, kind), countFactors(counts)) === 1;
  }

  /**
   * @returns the error code for why a first factor cannot be set up: `unauthorized` if the account has a factor of a kind that
   * only a newer version supports; null if a first factor can be set up
   */
  toRegisteredCode(counts: FactorCounts): RpcErrorCode | null {
    const [firstKind] = this.findUsableKinds(counts);
    return firstKind?.codes.registered ?? (hasFactor(counts) ? 'unauthorized' : null);
  }

  /**
   * @param insert writes the factor, or returns the reason for a refusal; `counts` was read under the account's lock
   * @throws CredentialsFrozen
   */
  async add(
    { accountId, factor, onlyFirst, manageSession, signedIn, auditContext, name }: FactorAddition,
    insert: (trx: Transaction<Schema>, counts: FactorCounts) => Promise<InsertResult>,
  ): Promise<SetUpResult> {
    const work = this.database.transaction(async (trx): Promise<SetUpResult> => {
      if (!(await lockActive(accountId, trx))) throw new AdditionRefused('unauthorized');
      const now = this.database.now();
      await manageSession?.require(trx);
      // A sign-in that requires a first factor is not a change in the account area, and could not continue without the factor.
      if (!onlyFirst) await requireNotFrozen({ accountId, now }, trx);
      const counts = await this.readCounts(accountId, trx);
      const registeredCode = this.toRegisteredCode(counts);
      if (signedIn) await requireSignedIn({ accountId, signedIn, hasFactor: registeredCode !== null, now }, trx);
      if (onlyFirst && registeredCode) throw new AdditionRefused(registeredCode);
      const result = await insert(trx, counts);
      if (typeof result === 'string') throw new AdditionRefused(result);
      if (!hasFactor(counts) && isSecondFactor(factor)) await forgetFactorProofs(accountId, trx);
      // A person who has just set a factor up need not prove it before the next change.
      await manageSession?.prove(trx);
      if (result) await this.#recordReplacement({ accountId, factor, auditContext, name: result.replaced }, counts, trx);
      await this.#announce('added', { accountId, factor, auditContext, ...defined({ name }) }, trx);
      if (hasFactor(counts) || !isSecondFactor(factor)) return { kind: 'added' };
      const recoveryCodes = await this.recoveryCodes.make(accountId, trx);
      await this.#recordCodes({ accountId, auditContext }, trx);
      return { kind: 'added', recoveryCodes };
    });
    return work.catch((error: unknown) => {
      if (error instanceof AdditionRefused || error instanceof ChangeRefused) return { kind: 'refused', code: error.code };
      throw error;
    });
  }

  /**
   * @param deleteFactor deletes the factor; returns its name, or null if there is none
   * @returns false if there is none; a removal with a condition (`auditContext.condition`) throws an Error instead
   * @throws CredentialsFrozen, ChangeRefused, LastSignInMethod, LastFactor, and the errors of the condition. All are checked under
   * the account's lock, so that concurrent removals cannot remove the last two factors
   */
  async remove(
    { accountId, factor, auditContext, mayBeLast, manageSession, offered }: FactorRemoval,
    deleteFactor: (trx: Transaction<Schema>) => Promise<string | null>,
  ): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      await lockAccount(accountId, trx);
      const now = this.database.now();
      await requireNotFrozen({ accountId, now }, trx);
      await manageSession?.require(trx);
      // The condition reads the factors, so it is checked before one is deleted.
      await auditContext.condition?.require(trx);
      const name = await deleteFactor(trx);
      if (name === null) {
        // Rolls back, so that the condition is not used up without a change.
        if (auditContext.condition) throw new Error('The account does not have this factor any more.');
        return false;
      }
      if (!isSecondFactor(factor) && offered && !(await canSignIn(accountId, offered, trx))) throw new LastSignInMethod();
      await endTrust({ accountId, now }, trx);
      await forgetSignIns(accountId, trx);
      const remainingCounts = await this.readCounts(accountId, trx);
      const isLast = !hasFactor(remainingCounts);
      if (!mayBeLast && this.toRegisteredCode(remainingCounts) === null) throw new LastFactor();
      const counters = toCount(remainingCounts, factor) === 0 ? [...factor.counters] : [];
      if (isLast) {
        await this.recoveryCodes.remove(accountId, trx);
        counters.push(...RECOVERY.counters);
      }
      // A factor that is set up later has another secret, so its counters start at zero.
      await clearFactorCounters(this.keys, { accountId, counters }, trx);
      await this.#announce('removed', { accountId, factor, auditContext, name }, trx);
      return true;
    });
  }

  /**
   * Replaces the recovery codes. @returns an empty list if the account has no second factor or is not active
   * @throws CredentialsFrozen, ChangeRefused
   */
  async renewRecoveryCodes({ accountId, auditContext, manageSession }: CodesRenewal): Promise<string[]> {
    return this.database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx))) return [];
      const now = this.database.now();
      await requireNotFrozen({ accountId, now }, trx);
      await manageSession?.require(trx);
      if (!hasFactor(await this.readCounts(accountId, trx))) return [];
      const codes = await this.recoveryCodes.make(accountId, trx);
      await clearFactorCounters(this.keys, { accountId, counters: RECOVERY.counters }, trx);
      await this.#recordCodes({ accountId, auditContext }, trx);
      await this.outbox.queueNotice({ kind: 'recovery-codes-made', accountId, auditContext }, trx);
      return codes;
    });
  }

  /** @param write returns false if there is no such factor */
  async rename(
    { accountId, factor, auditContext }: FactorChange,
    write: (trx: Transaction<Schema>) => Promise<boolean>,
  ): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      if (!(await write(trx))) return false;
      await this.audit.record({ ...auditContext, kind: 'factor.renamed', accountId, detail: { factor: factor.name } }, trx);
      return true;
    });
  }

  async #recordReplacement(change: FactorChange, counts: FactorCounts, trx: Transaction<Schema>): Promise<void> {
    const { accountId, factor } = change;
    const counters = toCount(counts, factor) === 1 ? factor.counters : [];
    await forgetSignIns(accountId, trx);
    await clearFactorCounters(this.keys, { accountId, counters }, trx);
    await this.#announce('removed', change, trx);
  }

  async #announce(
    change: 'added' | 'removed',
    { accountId, factor, auditContext, name }: FactorChange,
    trx: Transaction<Schema>,
  ): Promise<void> {
    await this.audit.record({ ...auditContext, kind: `factor.${change}`, accountId, detail: { factor: factor.name } }, trx);
    const values = name === undefined || name === '' ? {} : { name };
    await this.outbox.queueNotice({ kind: factor.notices[change], accountId, values, auditContext }, trx);
  }

  async #recordCodes(
    { accountId, auditContext }: Pick<FactorChange, 'accountId' | 'auditContext'>,
    trx: Transaction<Schema>,
  ): Promise<void> {
    await this.audit.record({ ...auditContext, kind: 'recovery-codes.made', accountId }, trx);
  }
}

async function requireSignedIn(
  { accountId, signedIn, ...rest }: { accountId: string; signedIn: SignedInBrowser; hasFactor: boolean; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  const session = await findSignedInSession({ ...signedIn, accountId, now: rest.now }, trx);
  if (!session) throw new AdditionRefused('unauthorized');
  if (rest.hasFactor && !session.hasProvenFactor) throw new AdditionRefused('proof required');
}
