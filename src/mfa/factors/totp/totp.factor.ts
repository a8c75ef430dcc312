/**
 * Codes of an authenticator app (RFC 6238): setting one up, and proving oneself by one. A code is spent by its time step,
 * whichever way it was written.
 */
import { Inject, Injectable } from '@nestjs/common';
import { generateSecret, generateURI } from 'otplib';
import { toBuffer } from 'qrcode';
import type { Account } from '../../../accounts/account/account.js';
import { FactorAttempts } from '../../../accounts/limits/factor-attempts.js';
import { Factors } from '../../../accounts/factors/factors.js';
import type { FactorStatus } from '../../../accounts/factors/factors.js';
import { OneTimeSecrets } from '../../../accounts/secrets/one-time-secrets.js';
import type { OneTimeSlot } from '../../../accounts/secrets/one-time-secrets.js';
import { TotpFactors } from '../../../accounts/factors/totp-factors.js';
import { Clock } from '../../../config/clock.js';
import { CONFIG } from '../../../config/config.token.js';
import type { Config } from '../../../config/config.js';
import type { TotpSetupState } from '../../../contract/mfa-state.js';
import type { Added, FactorVerdict, Removed, SetUp, TypedCode } from '../../factor.js';
import { totpStepOf } from './totp-code.js';

/** 160 bits (RFC 4226, section 4, R6). */
const SEED_BYTES = 20;
const SETUP_SECONDS = 600;
/** Rows as they are, for zlib to shrink: trying every filter of PNG for each row costs more than all the rest. */
const PNG_ENCODING = { filterType: 0, deflateLevel: 9, deflateStrategy: 0 };
/** Twice the pixels that the page shows, with the quiet zone of ISO/IEC 18004. */
const PICTURE = { type: 'png', width: 352, margin: 4, rendererOpts: PNG_ENCODING } as const;

/** Where a set-up waits for its code. */
interface Place extends Pick<SetUp, 'account' | 'boundTo'> {
  /** The app that there is goes when the code of the new one has come. */
  replaces?: boolean;
}

type Misfit = 'totp already registered' | 'totp not found';

@Injectable()
export class TotpFactor {
  constructor(
    private readonly storage: TotpFactors,
    private readonly factors: Factors,
    private readonly attempts: FactorAttempts,
    private readonly secrets: OneTimeSecrets,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** A new seed to be confirmed within ten minutes; one that waited at the same place is gone. */
  async begin({ account, boundTo, replaces = false }: Place): Promise<TotpSetupState | Misfit> {
    const misfit = misfitOf(await this.factors.status(account.id), replaces);
    if (misfit) return misfit;
    const seed = generateSecret({ length: SEED_BYTES });
    await this.secrets.replace({ ...place({ account, boundTo, replaces }), payload: seed, lifetimeSeconds: SETUP_SECONDS });
    return this.#shown(account, seed);
  }

  /** The set-up that waits, shown again. */
  async resume(where: Place): Promise<TotpSetupState | null> {
    const waiting = await this.secrets.findWaiting(place(where));
    return waiting?.payload ? this.#shown(where.account, waiting.payload) : null;
  }

  /** A wrong code leaves the set-up as it is; a right one ends it. */
  async confirm(setUp: SetUp & Pick<Place, 'replaces'> & { code: string }): Promise<Added> {
    const { account, code, onlyFirst, manageSession, by, replaces = false } = setUp;
    const seed = (await this.secrets.findWaiting(place(setUp)))?.payload;
    if (!seed) return { kind: 'refused', code: misfitOf(await this.factors.status(account.id), replaces) ?? 'session expired' };
    const step = this.#stepOf(seed, code);
    const attempt = { accountId: account.id, factor: 'totp-setup', by } as const;
    const verdict = await this.attempts.judge(attempt, async () => (step === null ? 'code' : async () => true));
    if (verdict.kind === 'limited') return verdict;
    if (verdict.kind === 'stopped') {
      return { kind: 'limited', retryAfterSeconds: this.config.limits.accountLongestWaitSeconds };
    }
    if (step === null || verdict.kind !== 'proven') return { kind: 'refused', code: 'invalid verification code' };
    const addition = { accountId: account.id, factor: 'totp', onlyFirst, manageSession, by } as const;
    return this.factors.add(addition, async (trx, held) => {
      const misfit = misfitOf(held, replaces);
      if (misfit) return misfit;
      if (!(await this.secrets.discard(place(setUp), trx))) return 'session expired';
      if (replaces) await this.storage.remove(account.id, trx);
      const isNew = await this.storage.insert({ accountId: account.id, step }, seed, trx);
      if (!isNew) return 'totp already registered';
      return replaces ? { replaced: '' } : null;
    });
  }

  async verify({ accountId, code, by }: TypedCode): Promise<FactorVerdict> {
    const kept = await this.storage.find(accountId);
    if (!kept) return { kind: 'missing' };
    return this.attempts.judge({ accountId, factor: 'totp', by }, async () => {
      const step = this.#stepOf(kept.seed, code);
      return step === null ? 'code' : (trx) => this.storage.take({ accountId, step }, kept, trx);
    });
  }

  async remove(removed: Removed): Promise<boolean> {
    return this.factors.remove({ ...removed, factor: 'totp' }, async (trx) =>
      (await this.storage.remove(removed.accountId, trx)) ? '' : null,
    );
  }

  /** For the overview of the area. */
  async describe(accountId: string): Promise<{ created_at: string; last_used_at: string | null } | null> {
    const row = await this.storage.describe(accountId);
    return row && { created_at: row.createdAt.toISOString(), last_used_at: row.lastUsedAt?.toISOString() ?? null };
  }

  #stepOf(seed: string, code: string): number | null {
    return totpStepOf(seed, code, { now: this.clock.now(), steps: this.config.mfa.totpWindowSteps });
  }

  async #shown({ username }: Account, seed: string): Promise<TotpSetupState> {
    const address = generateURI({ issuer: this.config.app.name, label: username, secret: seed });
    const picture = await toBuffer(address, PICTURE);
    return { qr_code: picture.toString('base64'), secret: seed, otpauth_url: address };
  }
}

/** What was begun to replace one is not finished beside it, and the other way round. */
function place({ account, boundTo, replaces = false }: Place): OneTimeSlot {
  return { purpose: 'totp-setup', accountId: account.id, boundTo: replaces ? `${boundTo}:replace` : boundTo };
}

function misfitOf({ totp }: Pick<FactorStatus, 'totp'>, replaces: boolean): Misfit | null {
  if (totp === replaces) return null;
  return totp ? 'totp already registered' : 'totp not found';
}
