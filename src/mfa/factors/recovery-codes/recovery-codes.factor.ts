/** Recovery codes replace a factor that is not available. */
import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { AuditLog, type AuditContext } from '../../../accounts/audit/audit-log.js';
import { FactorAttempts, type Spend } from '../../../accounts/limits/factor-attempts.js';
import { Outbox } from '../../../accounts/queue/outbox.js';
import type { Schema } from '../../../database/schema.js';
import type { Factor, FactorVerdict, Proof } from '../../factor.port.js';
import { Factors, type CodesRenewal } from '../../factors.js';
import { RECOVERY } from './recovery-codes.kind.js';
import { RecoveryCodes, recoveryCodeOf, type CodesLeft } from './recovery-codes.records.js';

@Injectable()
export class RecoveryCodesFactor implements Factor {
  static readonly kind = RECOVERY;
  static readonly providers = [RecoveryCodes];
  readonly kind = RECOVERY;
  /** There is no RPC call for them. */
  readonly bodies = { proof: Object };

  constructor(
    private readonly records: RecoveryCodes,
    private readonly factors: Factors,
    private readonly attempts: FactorAttempts,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** `missing`: no code is left. */
  async verify({ accountId, answer: { code }, by }: Omit<Proof, 'boundTo'>): Promise<FactorVerdict> {
    if ((await this.records.left(accountId)).left === 0) return { kind: 'missing' };
    return this.attempts.judge({ accountId, factor: RECOVERY.counters[0], typed: code, by }, async () => {
      const normal = typeof code === 'string' ? recoveryCodeOf(code) : null;
      return normal === null ? 'code' : this.#spending(accountId, normal, by);
    });
  }

  /** @returns ten new codes, shown once; an empty list if the account has no factor */
  async renew(renewal: CodesRenewal): Promise<string[]> {
    return this.factors.renewRecoveryCodes(renewal);
  }

  async left(accountId: string): Promise<CodesLeft> {
    return this.records.left(accountId);
  }

  /** See `Factors.confirmCodesSeen`. */
  async confirmSeen(accountId: string, code: string): Promise<void> {
    await this.factors.confirmCodesSeen(accountId, code);
  }

  /** Codes are never shown again. */
  async list(): Promise<[]> {
    return [];
  }

  async removeAll(accountId: string, trx: Transaction<Schema>): Promise<void> {
    await this.records.remove(accountId, trx);
  }

  #spending(accountId: string, code: string, by: AuditContext): Spend {
    return async (trx) => {
      if (!(await this.records.use(accountId, code, trx))) {
        return (await this.records.isUsed(accountId, code, trx)) ? 'replayed' : 'code';
      }
      const { left } = await this.records.left(accountId, trx);
      await this.audit.record({ ...by, kind: 'recovery-code.used', accountId, detail: { left } }, trx);
      await this.outbox.queueNotice({ kind: 'recovery-code-used', accountId, values: { left }, by }, trx);
      return true;
    };
  }
}
