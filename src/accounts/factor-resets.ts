/**
 * Takes all second factors away from whoever brings the token of a contact person (security decision D3). All go at once,
 * and everything that they had opened ends.
 */
import type { Keys } from '../config/keys.js';
import type { Database } from '../database/database.js';
import { isAccountId, toAccount, ACCOUNT_COLUMNS } from './account.js';
import type { Account } from './account.js';
import { endAreaSessionsOf } from './area-sessions.js';
import type { AuditContext, AuditTrail } from './audit-trail.js';
import { endSessionsOf } from './browser-sessions.js';
import { clearFactorCounters } from './factor-counters.js';
import { discardSecretsOf } from './one-time-secrets.js';
import type { IssuedSecret, OneTimeSecrets } from './one-time-secrets.js';
import type { Outbox } from './outbox.js';

const HANDED_SECONDS = 48 * 3600;
const PURPOSE = 'factor-reset';
/** What was begun with the old factors. */
const FACTOR_SECRETS = [PURPOSE, 'totp-setup', 'fido2-registration', 'fido2-assertion'] as const;

export interface FactorResetsParts {
  database: Database;
  keys: Keys;
  secrets: OneTimeSecrets;
  audit: AuditTrail;
  outbox: Outbox;
}

export class FactorResets {
  constructor(private readonly parts: FactorResetsParts) {}

  /** For a contact person to hand out; the newest one counts. */
  async issue({ id: accountId }: Account, by: AuditContext): Promise<IssuedSecret> {
    const { database, secrets, audit } = this.parts;
    return database.transaction(async (trx) => {
      await trx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
      await discardSecretsOf({ accountId, purposes: [PURPOSE] }, trx);
      const issued = await secrets.hand({ purpose: PURPOSE, accountId, lifetimeSeconds: HANDED_SECONDS }, trx);
      await audit.record({ ...by, kind: 'factor-reset.issued', accountId }, trx);
      return issued;
    });
  }

  /** Spends nothing. @returns whose factors the token takes away; null when it is unknown, used, replaced or too old */
  async find(token: string): Promise<Account | null> {
    const found = await this.parts.secrets.find(PURPOSE, token);
    if (!found?.accountId || !isAccountId(found.accountId)) return null;
    const find = this.parts.database.db.selectFrom('account').select(ACCOUNT_COLUMNS).where('id', '=', found.accountId);
    const row = await find.executeTakeFirst();
    return row?.status === 'active' ? toAccount(row) : null;
  }

  /** @returns false when the token has gone meanwhile; then nothing has changed */
  async reset({ id: accountId }: Account, token: string, by: AuditContext): Promise<boolean> {
    const { database, keys, secrets, audit, outbox } = this.parts;
    return database.transaction(async (trx) => {
      const owner = await trx.selectFrom('account').select('status').where('id', '=', accountId).forUpdate().executeTakeFirst();
      if (owner?.status !== 'active' || !(await secrets.spend(PURPOSE, token, trx))) return false;
      for (const table of ['totp_factor', 'security_key', 'recovery_code'] as const) {
        await trx.deleteFrom(table).where('account_id', '=', accountId).execute();
      }
      await clearFactorCounters(keys, { accountId }, trx);
      await discardSecretsOf({ accountId, purposes: FACTOR_SECRETS }, trx);
      await endSessionsOf(accountId, trx);
      await endAreaSessionsOf({ accountId, now: database.now() }, trx);
      await audit.record({ ...by, kind: 'factor.reset', accountId }, trx);
      await outbox.queueNotice({ kind: 'factors-reset', accountId }, trx);
      return true;
    });
  }
}
