/** Recovery codes in place of a factor that is not at hand. */
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../accounts/audit/audit-log.js';
import type { AuditContext } from '../../../accounts/audit/audit-log.js';
import { FactorAttempts } from '../../../accounts/limits/factor-attempts.js';
import type { Spend } from '../../../accounts/limits/factor-attempts.js';
import { Factors } from '../../../accounts/factors/factors.js';
import { Outbox } from '../../../accounts/queue/outbox.js';
import { RecoveryCodes, recoveryCodeOf } from '../../../accounts/factors/recovery-codes.js';
import type { FactorVerdict, TypedCode } from '../../factor.js';

@Injectable()
export class RecoveryCodesFactor {
  constructor(
    private readonly codes: RecoveryCodes,
    private readonly factors: Factors,
    private readonly attempts: FactorAttempts,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** `missing`: none is left. */
  async verify({ accountId, code, by }: TypedCode): Promise<FactorVerdict> {
    if ((await this.codes.left(accountId)) === 0) return { kind: 'missing' };
    return this.attempts.judge({ accountId, factor: 'recovery', by }, async () => {
      const normal = recoveryCodeOf(code);
      return normal === null ? 'code' : this.#spending(accountId, normal, by);
    });
  }

  /** @returns ten new ones, shown once; none when the account has no factor */
  async renew(accountId: string, by: AuditContext): Promise<string[]> {
    return this.factors.renewRecoveryCodes({ accountId, by });
  }

  async left(accountId: string): Promise<number> {
    return this.codes.left(accountId);
  }

  #spending(accountId: string, code: string, by: AuditContext): Spend {
    return async (trx) => {
      if (!(await this.codes.use(accountId, code, trx))) {
        return (await this.codes.isUsed(accountId, code, trx)) ? 'replayed' : 'code';
      }
      const left = await this.codes.left(accountId, trx);
      await this.audit.record({ ...by, kind: 'recovery-code.used', accountId, detail: { left } }, trx);
      await this.outbox.queueNotice({ kind: 'recovery-code-used', accountId, values: { left }, by }, trx);
      return true;
    };
  }
}
