/** Codes by e-mail as a second factor: setting it up proves the address, and each sign-in asks for a code of its own. */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { FactorCounts } from '../../../accounts/account/factor-counts.js';
import type { Account } from '../../../accounts/account/account.js';
import { lockActive } from '../../../accounts/account/lock.js';
import { maskedEmail } from '../../../accounts/account/masked-email.js';
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
  type Added,
  type Begun,
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
import { signInOf } from '../../factor-slot.js';
import { shownTimes } from '../../factor-times.js';
import { toCount } from '../../held-factors.js';
import { refusedSetUp } from '../../refused-set-up.js';
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

  /** Sends a code to the account's address. There is nothing that another one could replace. */
  async begin({ account, boundTo, replaces }: SetUpSlot, by: AuditContext): Promise<Begun> {
    if (replaces) return { kind: 'refused', code: EMAIL_CODE.codes.missing };
    if (await this.#isSetUp(account.id)) return { kind: 'refused', code: EMAIL_CODE.codes.registered };
    return this.#send(account, { slot: setUpOf({ account, boundTo }), boundTo, mail: MAILS.setUp, by });
  }

  async resume({ account, boundTo }: SetUpSlot): Promise<EmailCodeState | null> {
    const state = await this.#toState(setUpOf({ account, boundTo }), account);
    return state.sent ? state : null;
  }

  /** A wrong code leaves the set-up as it is; a right one ends it and verifies the address. */
  async confirm({ account, boundTo, onlyFirst, manageSession, by }: SetUp, { code }: FactorAnswer): Promise<Added> {
    const slot = setUpOf({ account, boundTo });
    if (!(await this.codes.isWaiting(slot))) {
      return { kind: 'refused', code: (await this.#isSetUp(account.id)) ? EMAIL_CODE.codes.registered : 'session expired' };
    }
    const attempt = { accountId: account.id, factor: EMAIL_CODE.counters[1], typed: code, by };
    const verdict = await this.attempts.judgeSetUp(attempt, () => this.codes.check({ slot, counter: COUNTER }, code));
    if (verdict.kind !== 'proven') return refusedSetUp(verdict, EMAIL_CODE.codes.refused);
    const right = verdict.found;
    const addition = { accountId: account.id, factor: EMAIL_CODE, onlyFirst, manageSession, by };
    return this.factors.add(addition, (trx, held) => this.#insert({ account, right, by }, held, trx));
  }

  async beginProof({ account, boundTo }: FactorSlot, by: AuditContext): Promise<Begun | null> {
    if (!(await this.#isSetUp(account.id))) return null;
    const mail = signInOf(boundTo) === null ? MAILS.freshProof : MAILS.signIn;
    return this.#send(account, { slot: toProof(account.id, boundTo), boundTo, mail, by });
  }

  proofState({ account, boundTo }: FactorSlot): Promise<EmailCodeState> {
    return this.#toState(toProof(account.id, boundTo), account);
  }

  async verify({ accountId, boundTo, answer: { code }, by }: Proof): Promise<FactorVerdict> {
    if (!(await this.records.find(accountId))) return { kind: 'missing' };
    const slot = toProof(accountId, boundTo);
    // Where no code waits, none can be guessed: counted, it would delay the owner for nothing.
    if (!(await this.codes.isWaiting(slot))) return { kind: 'untyped' };
    return this.attempts.judge({ accountId, factor: EMAIL_CODE.counters[0], typed: code, by }, async () => {
      const right = await this.codes.check({ slot, counter: COUNTER }, code);
      if (typeof right === 'string') return right;
      return async (trx) => {
        const { email } = right;
        // Like everything that voids codes: the account first, then the code.
        if (!(await lockActive(accountId, trx))) return false;
        if (!(await right.spend(trx)) || !(await this.records.touch({ accountId, email }, trx))) return false;
        await this.records.verifyAddress({ accountId, email, by }, trx);
        return true;
      };
    });
  }

  async replaceable(): Promise<null> {
    return null;
  }

  /** It has no name. */
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
    return row ? [shownTimes(row)] : [];
  }

  async #isSetUp(accountId: string): Promise<boolean> {
    return (await this.records.find(accountId)) !== null;
  }

  /** Without a mail server a code would wait until it expires. A sign-in waits as long as the code that it asked for. */
  async #send(
    { email, emailVerified: isProven }: Account,
    { boundTo, ...request }: Omit<CodeRequest, 'to' | 'counter'> & Pick<FactorSlot, 'boundTo'>,
  ): Promise<Begun> {
    if (!this.config.mail.server) return { kind: 'refused', code: 'factor unavailable' };
    if (email === undefined) return { kind: 'refused', code: 'no e-mail address' };
    const retryAfterSeconds = await this.codes.send({ ...request, to: { email, isProven }, counter: COUNTER });
    if (retryAfterSeconds !== null) return { kind: 'limited', retryAfterSeconds };
    const signInId = signInOf(boundTo);
    if (signInId !== null) await this.signIns.extend(signInId, MAILED_CODE_SECONDS);
    return { kind: 'begun', state: { address: maskedEmail(email), sent: true } satisfies EmailCodeState };
  }

  async #toState(slot: OneTimeSlot, { email }: Account): Promise<EmailCodeState> {
    return { address: email === undefined ? '' : maskedEmail(email), sent: await this.codes.isWaiting(slot) };
  }

  /** Under the account's lock. @returns why not */
  async #insert({ account, right, by }: ProvenSetUp, held: FactorCounts, trx: Transaction<Schema>): Promise<RpcErrorCode | null> {
    if (toCount(held, EMAIL_CODE) > 0) return EMAIL_CODE.codes.registered;
    const { email } = right;
    const isOwn = await this.records.isAddress({ accountId: account.id, email }, trx);
    if (!isOwn || !(await right.spend(trx)) || !(await this.records.insert(account.id, trx))) return 'session expired';
    await this.records.verifyAddress({ accountId: account.id, email, by }, trx);
    return null;
  }
}

const COUNTER = 'email-code-mail';

/** A gateway of the version before, which may send it, ignores `act`. */
const MAILS = {
  signIn: { kind: 'email-code' },
  setUp: { kind: 'email-code', act: 'set-up' },
  freshProof: { kind: 'proof-code' },
} as const;

interface ProvenSetUp {
  account: Account;
  right: RightCode;
  by: AuditContext;
}

function setUpOf({ account, boundTo }: FactorSlot): OneTimeSlot {
  return { purpose: 'factor-setup:email-code', accountId: account.id, boundTo };
}

function toProof(accountId: string, boundTo: string): OneTimeSlot {
  return { purpose: 'factor-proof:email-code', accountId, boundTo };
}
