/** Codes by e-mail as a second factor: setting it up proves the address, and each sign-in asks for a code of its own. */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { FactorCounts } from '../../../accounts/account/factor-counts.js';
import type { Account } from '../../../accounts/account/account.js';
import { maskedEmail } from '../../../accounts/account/masked-email.js';
import type { AuditContext } from '../../../accounts/audit/audit-log.js';
import { FactorAttempts } from '../../../accounts/limits/factor-attempts.js';
import type { OneTimeSlot } from '../../../accounts/secrets/one-time-secrets.js';
import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.token.js';
import type { FactorEntryState } from '../../../contract/mfa-state.js';
import type { RpcErrorCode } from '../../../contract/rpc.js';
import type { Schema } from '../../../database/schema.js';
import type { Added, Begun, EnrollableFactor, FactorAnswer, FactorSlot, FactorVerdict } from '../../factor.port.js';
import type { FactorTransfer, Proof, Removed, SetUp, SetUpSlot } from '../../factor.port.js';
import { Factors, countOf } from '../../factors.js';
import { EMAIL_CODE_BODIES } from './email-code.bodies.js';
import { EMAIL_CODE } from './email-code.kind.js';
import { EmailCodeRecords } from './email-code.records.js';
import { MailedCodes } from './mailed-codes.js';
import type { RightCode } from './mailed-codes.js';

/** What pages and calls show. */
interface SentState {
  /** Most of it hidden. */
  address: string;
  sent: boolean;
}

@Injectable()
export class EmailCodeFactor implements EnrollableFactor {
  static readonly kind = EMAIL_CODE;
  static readonly providers = [EmailCodeRecords, MailedCodes];
  readonly kind = EMAIL_CODE;
  readonly bodies = EMAIL_CODE_BODIES;

  constructor(
    private readonly records: EmailCodeRecords,
    private readonly codes: MailedCodes,
    private readonly factors: Factors,
    private readonly attempts: FactorAttempts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get transfer(): FactorTransfer {
    return this.records.transfer;
  }

  /** Sends a code to the account's address. There is nothing that another one could replace. */
  async begin({ account, boundTo, replaces }: SetUpSlot, by: AuditContext): Promise<Begun> {
    if (replaces) return { kind: 'refused', code: EMAIL_CODE.codes.missing };
    if (await this.#isSetUp(account.id)) return { kind: 'refused', code: EMAIL_CODE.codes.registered };
    return this.#send(setUpOf({ account, boundTo }), account, by);
  }

  async resume({ account, boundTo }: SetUpSlot): Promise<SentState | null> {
    const state = await this.#stateOf(setUpOf({ account, boundTo }), account);
    return state.sent ? state : null;
  }

  /** A wrong code leaves the set-up as it is; a right one ends it and verifies the address. */
  async confirm({ account, boundTo, onlyFirst, manageSession, by }: SetUp, { code }: FactorAnswer): Promise<Added> {
    const slot = setUpOf({ account, boundTo });
    if (!(await this.codes.isWaiting(slot))) {
      return { kind: 'refused', code: (await this.#isSetUp(account.id)) ? EMAIL_CODE.codes.registered : 'session expired' };
    }
    const attempt = { accountId: account.id, factor: EMAIL_CODE.counters[1], isSetUp: true, by } as const;
    const found: { right?: RightCode } = {};
    const verdict = await this.attempts.judge(attempt, async () => {
      const checked = await this.codes.check(slot, code);
      if (typeof checked === 'string') return checked;
      found.right = checked;
      return async () => true;
    });
    if (verdict.kind === 'limited') return verdict;
    if (verdict.kind === 'stopped') {
      return { kind: 'limited', retryAfterSeconds: this.config.limits.accountLongestWaitSeconds };
    }
    const { right } = found;
    if (verdict.kind !== 'proven' || !right) return { kind: 'refused', code: EMAIL_CODE.codes.refused };
    const addition = { accountId: account.id, factor: EMAIL_CODE, onlyFirst, manageSession, by };
    return this.factors.add(addition, (trx, held) => this.#insert({ account, right, by }, held, trx));
  }

  async beginProof({ account, boundTo }: FactorSlot, by: AuditContext): Promise<Begun | null> {
    return (await this.#isSetUp(account.id)) ? this.#send(proofOf(account.id, boundTo), account, by) : null;
  }

  proofState({ account, boundTo }: FactorSlot): Promise<SentState> {
    return this.#stateOf(proofOf(account.id, boundTo), account);
  }

  async verify({ accountId, boundTo, answer: { code }, by }: Proof): Promise<FactorVerdict> {
    if (!(await this.records.find(accountId))) return { kind: 'missing' };
    return this.attempts.judge({ accountId, factor: EMAIL_CODE.counters[0], by }, async () => {
      const right = await this.codes.check(proofOf(accountId, boundTo), code);
      if (typeof right === 'string') return right;
      return async (trx) => {
        const { email } = right;
        if (!(await right.spend(trx)) || !(await this.records.touch({ accountId, email }, trx))) return false;
        await this.records.verifyAddress({ accountId, email, by }, trx);
        return true;
      };
    });
  }

  async replaceable(): Promise<null> {
    return null;
  }

  async remove(removed: Removed): Promise<boolean> {
    return this.factors.remove({ ...removed, factor: EMAIL_CODE }, async (trx) =>
      (await this.records.remove(removed.accountId, trx)) ? '' : null,
    );
  }

  async removeAll(accountId: string, trx: Transaction<Schema>): Promise<void> {
    await this.records.remove(accountId, trx);
  }

  async list(accountId: string): Promise<FactorEntryState[]> {
    const row = await this.records.find(accountId);
    return row ? [{ created_at: row.created_at.toISOString(), last_used_at: row.last_used_at?.toISOString() ?? null }] : [];
  }
  async #isSetUp(accountId: string): Promise<boolean> {
    return (await this.records.find(accountId)) !== null;
  }

  async #send(slot: OneTimeSlot, { email }: Account, by: AuditContext): Promise<Begun> {
    if (email === undefined) return { kind: 'refused', code: 'factor unavailable' };
    const retryAfterSeconds = await this.codes.send(slot, email, by);
    if (retryAfterSeconds !== null) return { kind: 'limited', retryAfterSeconds };
    return { kind: 'begun', state: { address: maskedEmail(email), sent: true } satisfies SentState };
  }

  async #stateOf(slot: OneTimeSlot, { email }: Account): Promise<SentState> {
    return { address: email === undefined ? '' : maskedEmail(email), sent: await this.codes.isWaiting(slot) };
  }

  /** Under the account's lock. @returns why not */
  async #insert({ account, right, by }: ProvenSetUp, held: FactorCounts, trx: Transaction<Schema>): Promise<RpcErrorCode | null> {
    if (countOf(held, EMAIL_CODE) > 0) return EMAIL_CODE.codes.registered;
    const { email } = right;
    const isOwn = await this.records.isAddress({ accountId: account.id, email }, trx);
    if (!isOwn || !(await right.spend(trx)) || !(await this.records.insert(account.id, trx))) return 'session expired';
    await this.records.verifyAddress({ accountId: account.id, email, by }, trx);
    return null;
  }
}

interface ProvenSetUp {
  account: Account;
  right: RightCode;
  by: AuditContext;
}

function setUpOf({ account, boundTo }: FactorSlot): OneTimeSlot {
  return { purpose: 'factor-setup:email-code', accountId: account.id, boundTo };
}

function proofOf(accountId: string, boundTo: string): OneTimeSlot {
  return { purpose: 'factor-proof:email-code', accountId, boundTo };
}
