/**
 * Codes of an authenticator app (RFC 6238): set-up and verification. Using a code consumes its time step, so that no code of
 * that step works again.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { Account } from '../../../accounts/account/account.js';
import type { FactorCounts } from '../../../accounts/account/factor-counts.js';
import type { AuditContext } from '../../../accounts/audit/audit-log.js';
import { FactorAttempts } from '../../../accounts/limits/factor-attempts.js';
import { OneTimeSecrets, type OneTimeSlot } from '../../../accounts/secrets/one-time-secrets.js';
import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.token.js';
import type { FactorEntryState, TotpSetupState } from '../../../contract/mfa-state.js';
import type { Schema } from '../../../database/schema.js';
import {
  type SetUpResult,
  type Factor,
  type FactorAnswer,
  type FactorTransfer,
  type FactorVerdict,
  type Proof,
  type RemoveRequest,
  type ReplacedFactor,
  type SetUp,
  type SetUpSlot,
} from '../../factor.port.js';
import { toTimesState } from '../../factor-times.js';
import { Factors } from '../../factors.js';
import { toCount } from '../../held-factors.js';
import { toSetUpRefusal } from '../../set-up-refusal.js';
import { SeedResealer } from './seed-resealer.js';
import { TOTP_BODIES } from './totp.bodies.js';
import { findTotpStep } from './totp-code.js';
import { TOTP } from './totp.kind.js';
import { TotpRecords } from './totp.records.js';

/** 160 bits (RFC 4226, section 4, R6). */
const SEED_BYTES = 20;
const SETUP_SECONDS = 600;
/** The rows of the PNG are not filtered, because trying every filter takes longer than all other work. */
const PNG_ENCODING = { filterType: 0, deflateLevel: 9, deflateStrategy: 0 };
/** Twice the size in pixels that the page shows, with the quiet zone of ISO/IEC 18004. */
const PICTURE = { type: 'png', width: 352, margin: 4, rendererOpts: PNG_ENCODING } as const;

type SetUpConflict = 'totp already registered' | 'totp not found';

@Injectable()
export class TotpFactor implements Factor {
  static readonly kind = TOTP;
  static readonly providers = [TotpRecords, SeedResealer];
  readonly kind = TOTP;
  readonly bodies = TOTP_BODIES;

  constructor(
    private readonly records: TotpRecords,
    private readonly factors: Factors,
    private readonly attempts: FactorAttempts,
    private readonly secrets: OneTimeSecrets,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get transfer(): FactorTransfer {
    return this.records.transfer;
  }

  /**
   * Creates a seed that must be confirmed within ten minutes, and discards a pending set-up of the same slot. Refuses if the account
   * has an app that the set-up does not replace, or has none to replace.
   */
  async begin(
    slot: SetUpSlot,
    _auditContext?: AuditContext,
    body?: FactorAnswer,
  ): Promise<{ kind: 'begun'; state: TotpSetupState } | { kind: 'refused'; code: SetUpConflict }> {
    const setUp = { ...slot, replaces: readReplacement(slot, body) };
    const conflict = findConflict(await this.factors.readCounts(setUp.account.id), setUp.replaces);
    if (conflict) return { kind: 'refused', code: conflict };
    const { generateSecret } = await import('otplib');
    const seed = generateSecret({ length: SEED_BYTES });
    await this.secrets.replace({ ...toSlot(setUp), payload: seed, lifetimeSeconds: SETUP_SECONDS });
    return { kind: 'begun', state: await this.#buildState(setUp.account, seed) };
  }

  async resume(slot: SetUpSlot): Promise<TotpSetupState | null> {
    const pending = await this.secrets.findWaiting(toSlot(slot));
    return pending?.payload ? this.#buildState(slot.account, pending.payload) : null;
  }

  /** A wrong code leaves the set-up pending; the correct code finishes it. */
  async confirm(request: SetUp, answer: FactorAnswer): Promise<SetUpResult> {
    const setUp = { ...request, replaces: readReplacement(request, answer) };
    const { account, onlyFirst, manageSession, auditContext, replaces } = setUp;
    const pending = await this.secrets.findWaiting(toSlot(setUp));
    const seed = pending?.payload;
    if (!seed)
      return { kind: 'refused', code: findConflict(await this.factors.readCounts(account.id), replaces) ?? 'session expired' };
    const attempt = { accountId: account.id, factor: TOTP.counters[1], typedCode: answer['code'], auditContext };
    const verdict = await this.attempts.judgeSetUp(attempt, async () => {
      const step = await this.#toStep(seed, answer['code'], pending.now);
      return step === null ? 'code' : { step };
    });
    if (verdict.kind !== 'proven') return toSetUpRefusal(verdict, TOTP.codes.refused);
    const { step } = verdict.result;
    const addition = { accountId: account.id, factor: TOTP, onlyFirst, manageSession, auditContext };
    return this.factors.add(addition, async (trx, counts) => {
      const conflict = findConflict(counts, replaces);
      if (conflict) return conflict;
      if (!(await this.secrets.discard(toSlot(setUp), trx))) return 'session expired';
      if (replaces) await this.records.remove(account.id, trx);
      const isNew = await this.records.insert({ accountId: account.id, step }, seed, trx);
      if (!isNew) return TOTP.codes.registered;
      return replaces ? { replaced: '' } : null;
    });
  }

  /** Always null, because a code can be entered without a request to the server. */
  async beginProof(): Promise<null> {
    return null;
  }

  async findProofState(): Promise<null> {
    return null;
  }

  async verify({ accountId, answer: { code }, auditContext }: Omit<Proof, 'boundTo'>): Promise<FactorVerdict> {
    const totp = await this.records.find(accountId);
    if (!totp) return { kind: 'missing' };
    return this.attempts.judge({ accountId, factor: TOTP.counters[0], typedCode: code, auditContext }, async () => {
      const step = await this.#toStep(totp.seed, code, totp.now);
      return step === null ? 'code' : { inOneStatement: (proof) => this.records.take(step, totp, proof) };
    });
  }

  async findReplaceable(accountId: string): Promise<ReplacedFactor | null> {
    return (await this.records.describe(accountId)) ? true : null;
  }

  /** An authenticator app has no name. */
  async rename(): Promise<boolean> {
    return false;
  }

  async remove(request: RemoveRequest): Promise<boolean> {
    return this.factors.remove({ ...request, factor: TOTP }, async (trx) =>
      (await this.records.remove(request.accountId, trx)) ? '' : null,
    );
  }

  async removeAll(accountId: string, trx: Transaction<Schema>): Promise<void> {
    await this.records.remove(accountId, trx);
  }

  async list(accountId: string): Promise<FactorEntryState[]> {
    const row = await this.records.describe(accountId);
    return row ? [toTimesState(row)] : [];
  }

  async #toStep(seed: string, code: unknown, now: Date): Promise<number | null> {
    if (typeof code !== 'string') return null;
    return findTotpStep(seed, code, { now, steps: this.config.mfa.totpWindowSteps });
  }

  async #buildState({ username }: Account, seed: string): Promise<TotpSetupState> {
    // Loaded at the first set-up in this process.
    const [{ generateURI }, { toBuffer }] = await Promise.all([import('otplib'), import('qrcode')]);
    const address = generateURI({ issuer: this.config.app.name, label: username, secret: seed });
    const picture = await toBuffer(address, PICTURE);
    return { qr_code: picture.toString('base64'), secret: seed, otpauth_url: address };
  }
}

/** Reads from the address of a form or the body of a call whether the set-up replaces the current app. */
function readReplacement({ replaces }: SetUpSlot, body: FactorAnswer = {}): true | undefined {
  return replaces || body['replace'] === true ? true : undefined;
}

/** A replacement and an addition have different slots, so that neither can finish the other. */
function toSlot({ account, boundTo, replaces }: SetUpSlot): OneTimeSlot {
  return { purpose: 'factor-setup:totp', accountId: account.id, boundTo: replaces ? `${boundTo}:replace` : boundTo };
}

function findConflict(counts: FactorCounts, replaces: ReplacedFactor | undefined): SetUpConflict | null {
  const hasApp = toCount(counts, TOTP) > 0;
  if (hasApp === Boolean(replaces)) return null;
  return hasApp ? 'totp already registered' : 'totp not found';
}
