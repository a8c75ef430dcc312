/**
 * Removes all second factors with a token that a contact person handed out (docs/security.md D3). All are removed at
 * once, and every session that they proved ends.
 */
import { Injectable } from '@nestjs/common';
import { Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { lockActive } from '../account/lock.js';
import type { Account } from '../account/account.js';
import { Accounts } from '../account/accounts.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext } from '../audit/audit-log.js';
import { endEverySessionOf } from '../sessions/browser-sessions.js';
import { clearFactorCounters } from '../limits/factor-counters.js';
import { discardSecretsOf, OneTimeSecrets } from './one-time-secrets.js';
import type { IssuedSecret } from './one-time-secrets.js';
import { Outbox } from '../queue/outbox.js';

const HANDED_SECONDS = 48 * 3600;
const PURPOSE = 'factor-reset';
/** Secrets of processes started with the old factors. */
const FACTOR_SECRETS = [PURPOSE, 'totp-setup', 'fido2-registration', 'fido2-assertion'] as const;

@Injectable()
export class FactorResets {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly keys: Keys,
    private readonly secrets: OneTimeSecrets,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** A token for a contact person to hand out; only the newest works. */
  async issue({ id: accountId }: Account, by: AuditContext): Promise<IssuedSecret> {
    const { database, secrets, audit } = this;
    return database.transaction(async (trx) => {
      await trx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
      await discardSecretsOf({ accountId, purposes: [PURPOSE] }, trx);
      const issued = await secrets.issueWithExpiry({ purpose: PURPOSE, accountId, lifetimeSeconds: HANDED_SECONDS }, trx);
      await audit.record({ ...by, kind: 'factor-reset.issued', accountId }, trx);
      return issued;
    });
  }

  /** Does not consume the token. @returns the account; null if the token is unknown, used, replaced or expired */
  async find(token: string): Promise<Account | null> {
    const found = await this.secrets.find(PURPOSE, token);
    const account = found?.accountId ? await this.accounts.find(found.accountId) : null;
    return account?.status === 'active' ? account : null;
  }

  /** @returns false if the token is no longer valid; then nothing was changed */
  async reset({ id: accountId }: Account, token: string, by: AuditContext): Promise<boolean> {
    const { database, keys, secrets, audit, outbox } = this;
    return database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx)) || !(await secrets.spend(PURPOSE, token, trx))) return false;
      for (const table of ['totp_factor', 'security_key', 'recovery_code'] as const) {
        await trx.deleteFrom(table).where('account_id', '=', accountId).execute();
      }
      await clearFactorCounters(keys, { accountId }, trx);
      await discardSecretsOf({ accountId, purposes: FACTOR_SECRETS }, trx);
      await endEverySessionOf({ accountId, now: database.now(), upstream: 'everything' }, trx);
      await audit.record({ ...by, kind: 'factor.reset', accountId }, trx);
      await outbox.queueNotice({ kind: 'factors-reset', accountId, by }, trx);
      return true;
    });
  }
}
