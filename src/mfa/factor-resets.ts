/**
 * Removes all second factors, passkeys and recovery codes of an account with a token that a contact person hands out
 * (docs/security.md D3). A reset also ends all sessions of the account.
 */
import { Injectable } from '@nestjs/common';
import { Accounts, type Account } from '../accounts/account/accounts.js';
import { lockActive } from '../accounts/account/lock.js';
import { AuditLog, type AuditContext } from '../accounts/audit/audit-log.js';
import { Outbox } from '../accounts/queue/outbox.js';
import { OneTimeSecrets, discardFactorSecrets, discardSecrets, type IssuedSecret } from '../accounts/secrets/one-time-secrets.js';
import { endAllSessions } from '../accounts/sessions/browser-sessions.js';
import { Database } from '../database/database.js';
import { FactorRegistry } from './registry.js';

const TOKEN_LIFETIME_SECONDS = 48 * 3600;
const PURPOSE = 'factor-reset';

@Injectable()
export class FactorResets {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly secrets: OneTimeSecrets,
    private readonly registry: FactorRegistry,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** Issues a token for a contact person to hand out. Only the newest token is valid. */
  async issue({ id: accountId }: Account, auditContext: AuditContext): Promise<IssuedSecret> {
    return this.database.transaction(async (trx) => {
      await trx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
      await auditContext.condition?.require(trx);
      await discardSecrets({ accountId, purposes: [PURPOSE] }, trx);
      const secret = await this.secrets.issueWithExpiry(
        { purpose: PURPOSE, accountId, lifetimeSeconds: TOKEN_LIFETIME_SECONDS },
        trx,
      );
      await this.audit.record({ ...auditContext, kind: 'factor-reset.issued', accountId }, trx);
      return secret;
    });
  }

  /** Does not consume the token. @returns the account; null if the token is not valid, or the account is not active */
  async find(token: string): Promise<Account | null> {
    const secret = await this.secrets.find(PURPOSE, token);
    const account = secret?.accountId ? await this.accounts.find(secret.accountId) : null;
    return account?.status === 'active' ? account : null;
  }

  /** @returns false if the token is no longer valid or the account is not active; then nothing has changed. @throws NewerFactor */
  async reset({ id: accountId }: Account, token: string, auditContext: AuditContext): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx)) || !(await this.secrets.spend(PURPOSE, token, trx))) return false;
      await this.registry.removeAll(accountId, trx);
      await discardSecrets({ accountId, purposes: [PURPOSE] }, trx);
      await discardFactorSecrets(accountId, trx);
      await endAllSessions({ accountId, now: this.database.now(), upstream: 'everything' }, trx);
      await this.audit.record({ ...auditContext, kind: 'factor.reset', accountId }, trx);
      await this.outbox.queueNotice({ kind: 'factors-reset', accountId, auditContext }, trx);
      return true;
    });
  }
}
