/** Codes by e-mail as a second factor: the set-up verifies the address, and each proof needs a new code. */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { FactorCounts } from '../../../accounts/account/factor-counts.js';
import type { Account } from '../../../accounts/account/account.js';
import { lockActive } from '../../../accounts/account/lock.js';
import { maskEmail } from '../../../accounts/account/masked-email.js';
import type { AuditContext } from '../../../accounts/audit/audit-log.js';
import { FactorAttempts } from '../../../accounts/limits/factor-attempts.js';
import { MAILED_CODE_SECONDS } from '../../../accounts/secrets/mailed-code.js';
import { MailedCodes, type CodeRequest, type RightCode } from '../../../accounts/secrets/mailed-codes.js';
import type { OneTimeSlot } from '../../../accounts/secrets/one-time-secrets.js';
import { SignInRecords } from '../../../accounts/sessions/sign-in-records.js';
import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.token.js';
import type { EmailCodeState, FactorEntryState } from '../../../contract/mfa-state.js';
import type { RpcErrorCode } from '../../../contract/rpc.js';
import type { Schema } from '../../../database/schema.js';
import {
  type SetUpResult,
  type BeginResult,
  type Factor,
  type FactorAnswer,
  type FactorSlot,
  type FactorVerdict,
  type FactorTransfer,
  type Proof,
  type RemoveRequest,
  type SetUp,
  type SetUpSlot,
} from '../../factor.port.js';
import { Factors } from '../../factors.js';
import { findSignInId } from '../../factor-slot.js';
import { toTimesState } from '../../factor-times.js';
import { toCount } from '../../held-factors.js';
import { toSetUpRefusal } from '../../set-up-refusal.js';
import { EMAIL_CODE_BODIES } from './email-code.bodies.js';
import { EMAIL_CODE } from './email-code.kind.js';
import { EmailCodeRecords } from './email-code.records.js';

@Injectable()
export class EmailCodeFactor implements Factor {
  static readonly kind = EMAIL_CODE;
  static readonly providers = [EmailCodeRecords];
  readonly kind = EMAIL_CODE;
  readonly bodies = EMAIL_CODE_BODIES;

  constructor(
    private readonly records: EmailCodeRecords,
    private readonly codes: MailedCodes,
    private readonly factors: Factors,
    private readonly attempts: FactorAttempts,
    private readonly signIns: SignInRecords,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get transfer(): FactorTransfer {
    return this.records.transfer;
  }

  /** Sends a code to the account's address. The factor cannot be replaced, because an account has one address. */
  async begin({ account, boundTo, replaces }: SetUpSlot, auditContext: AuditContext): Promise<BeginResult> {
    if (replaces) return { kind: 'refused', code: EMAIL_CODE.codes.missing };
    if (await this.#isSetUp(account.id)) return { kind: 'refused', code: EMAIL_CODE.codes.registered };
    return this.#send(account, { slot: toSetUpSlot({ account, boundTo }), boundTo, mail: MAILS.setUp, auditContext });
  }

  async resume({ account, boundTo }: SetUpSlot): Promise<EmailCodeState | null> {
    const state = await this.#toState(toSetUpSlot({ account, boundTo }), account);
    return state.sent ? state : null;
  }

  /** A wrong code leaves the set-up pending until no try is left; the correct code finishes it and verifies the address. */
  async confirm(
    { account, boundTo, onlyFirst, manageSession, auditContext }: SetUp,
    { code }: FactorAnswer,
  ): Promise<SetUpResult> {
    const slot = toSetUpSlot({ account, boundTo });
    if (!(await this.codes.isWaiting(slot))) {
      return { kind: 'refused', code: (await this.#isSetUp(account.id)) ? EMAIL_CODE.codes.registered : 'session expired' };
    }
    const attempt = { accountId: account.id, factor: EMAIL_CODE.counters[1], typedCode: code, auditContext };
    const verdict = await this.attempts.judgeSetUp(attempt, () => this.codes.check({ slot, counter: COUNTER }, code));
    if (verdict.kind !== 'proven') return toSetUpRefusal(verdict, EMAIL_CODE.codes.refused);
    const rightCode = verdict.result;
    const addition = { accountId: account.id, factor: EMAIL_CODE, onlyFirst, manageSession, auditContext };
    return this.factors.add(addition, (trx, counts) => this.#insert({ account, rightCode, auditContext }, counts, trx));
  }

  async beginProof({ account, boundTo }: FactorSlot, auditContext: AuditContext): Promise<BeginResult | null> {
    if (!(await this.#isSetUp(account.id))) return null;
    const mail = findSignInId(boundTo) === null ? MAILS.freshProof : MAILS.signIn;
    return this.#send(account, { slot: toProofSlot(account.id, boundTo), boundTo, mail, auditContext });
  }

  findProofState({ account, boundTo }: FactorSlot): Promise<EmailCodeState> {
    return this.#toState(toProofSlot(account.id, boundTo), account);
  }

  async verify({ accountId, boundTo, answer: { code }, auditContext }: Proof): Promise<FactorVerdict> {
    if (!(await this.records.find(accountId))) return { kind: 'missing' };
    const slot = toProofSlot(accountId, boundTo);
    // If no code is waiting, none can be guessed, and counting the attempt would only delay the owner.
    if (!(await this.codes.isWaiting(slot))) return { kind: 'untyped' };
    return this.attempts.judge({ accountId, factor: EMAIL_CODE.counters[0], typedCode: code, auditContext }, async () => {
      const rightCode = await this.codes.check({ slot, counter: COUNTER }, code);
      if (typeof rightCode === 'string') return rightCode;
      return async (trx) => {
        const { email } = rightCode;
        // Locks the account before the code, in the same order as all changes that void codes.
        if (!(await lockActive(accountId, trx))) return false;
        if (!(await rightCode.spend(trx)) || !(await this.records.touch({ accountId, email }, trx))) return false;
        await this.records.verifyAddress({ accountId, email, auditContext }, trx);
        return true;
      };
    });
  }

  async findReplaceable(): Promise<null> {
    return null;
  }

  /** Codes by e-mail have no names. */
  async rename(): Promise<boolean> {
    return false;
  }

  async remove(request: RemoveRequest): Promise<boolean> {
    return this.factors.remove({ ...request, factor: EMAIL_CODE }, async (trx) =>
      (await this.records.remove(request.accountId, trx)) ? '' : null,
    );
  }

  async removeAll(accountId: string, trx: Transaction<Schema>): Promise<void> {
    await this.records.remove(accountId, trx);
  }

  async list(accountId: string): Promise<FactorEntryState[]> {
    const row = await this.records.find(accountId);
    return row ? [toTimesState(row)] : [];
  }

  async #isSetUp(accountId: string): Promise<boolean> {
    return (await this.records.find(accountId)) !== null;
  }

  /** Refuses without an address or a mail server. Extends a sign-in until the code expires. */
  async #send(
    { email, emailVerified: isProven }: Account,
    { boundTo, ...request }: Omit<CodeRequest, 'recipient' | 'counter'> & Pick<FactorSlot, 'boundTo'>,
  ): Promise<BeginResult> {
    if (!this.config.mail.server) return { kind: 'refused', code: 'factor unavailable' };
    if (email === undefined) return { kind: 'refused', code: 'no e-mail address' };
    const retryAfterSeconds = await this.codes.send({ ...request, recipient: { email, isProven }, counter: COUNTER });
    if (retryAfterSeconds !== null) return { kind: 'limited', retryAfterSeconds };
    const signInId = findSignInId(boundTo);
    if (signInId !== null) await this.signIns.extend(signInId, MAILED_CODE_SECONDS);
    return { kind: 'begun', state: { address: maskEmail(email), sent: true } satisfies EmailCodeState };
  }

  async #toState(slot: OneTimeSlot, { email }: Account): Promise<EmailCodeState> {
    return { address: email === undefined ? '' : maskEmail(email), sent: await this.codes.isWaiting(slot) };
  }

  /** Runs under the account's lock. @returns the reason for a refusal; null on success */
  async #insert(
    { account, rightCode, auditContext }: ProvenSetUp,
    counts: FactorCounts,
    trx: Transaction<Schema>,
  ): Promise<RpcErrorCode | null> {
    if (toCount(counts, EMAIL_CODE) > 0) return EMAIL_CODE.codes.registered;
    const { email } = rightCode;
    const isOwn = await this.records.hasAddress({ accountId: account.id, email }, trx);
    if (!isOwn || !(await rightCode.spend(trx)) || !(await this.records.insert(account.id, trx))) return 'session expired';
    await this.records.verifyAddress({ accountId: account.id, email, auditContext }, trx);
    return null;
  }
}

const COUNTER = 'email-code-mail';

/** The mails with a code. `act` selects the text for a set-up. */
const MAILS = {
  signIn: { kind: 'email-code' },
  setUp: { kind: 'email-code', act: 'set-up' },
  freshProof: { kind: 'proof-code' },
} as const;

interface ProvenSetUp {
  account: Account;
  rightCode: RightCode;
  auditContext: AuditContext;
}

function toSetUpSlot({ account, boundTo }: FactorSlot): OneTimeSlot {
  return { purpose: 'factor-setup:email-code', accountId: account.id, boundTo };
}

function toProofSlot(accountId: string, boundTo: string): OneTimeSlot {
  return { purpose: 'factor-proof:email-code', accountId, boundTo };
}
