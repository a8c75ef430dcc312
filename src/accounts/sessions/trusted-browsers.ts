/**
 * Trusted browsers: after a second factor, the person has chosen not to be asked for it in this browser again. The secret in the cookie
 * replaces the second factor after a correct password, and proves nothing else. It is valid for one account, until a fixed time, and only
 * while the password, the factors and the access of the account are unchanged. A stamp of these values is stored with the browser, so
 * that every change ends the trust, even a change by a version of Foyer that does not support trusted browsers.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement, type Placeholders } from '../../database/statement.js';
import { isAccountId } from '../account/account.js';
import { PASSWORD_VERSION } from '../account/password-version.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { toBrowserWords } from './browser-words.js';

const MAX_PER_ACCOUNT = 20;

export interface TrustedBrowser {
  id: string;
  /** Names of the browser and the operating system; absent if unknown. */
  browser?: string;
  since: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  /** Whether this is the requesting browser. */
  isThis: boolean;
}

/** A browser that becomes trusted, at the end of a sign-in. */
export interface NewTrust {
  secret: string;
  /** Secrets that the browser has presented. A secret for this account is replaced. */
  presentedSecrets: readonly string[];
  lifetimeSeconds: number;
  userAgent: string;
  /** Stamp of the account when its proofs were read. If the stamp has changed since, the browser does not become trusted. */
  stamp: string;
}

/** The stamp of the account `a`. It does not include recovery codes, because using one does not change who may sign in. */
export const TRUST_STAMP = sql<string>`
  (select coalesce((select ${PASSWORD_VERSION} from password_credential p where p.account_id = a.id), '')
      || '/' || ${SECURITY_STAMP} || '/' || coalesce((
      select string_agg(f.kind || ':' || f.count || ':' || extract(epoch from f.since)::text, ',' order by f.kind)
        filter (where f.since is not null)
      from account_factor f where f.account_id = a.id), '')
      || coalesce('/' || extract(epoch from a.trust_ended_at)::text, ''))`;

/** Fingerprints of secrets, and how long the setting lets a browser be trusted, in seconds. */
type TrustedValues = { trustedHashes: string[]; maxTrustSeconds: number };

/** Whether the trusted browser `t` is valid now. The setting may have become shorter, so the time of creation is compared too. */
const isValidSql = ({ param, now }: Pick<Placeholders<TrustedValues>, 'param' | 'now'>): RawBuilder<boolean> => sql<boolean>`
  (t.expires_at > ${now} and t.created_at > ${now} - ${interval(param('maxTrustSeconds'))} and t.stamp = ${TRUST_STAMP})`;

const USE = new Statement<TrustedValues & { account: string }, { id: string }>('trusted-browser.use', (placeholders) => {
  const { param, now } = placeholders;
  return sql`
    update trusted_browser set last_used_at = ${now} where id = (
      select t.id from trusted_browser t join account a on a.id = t.account_id
      where t.account_id = ${param('account')}::uuid and t.secret_hash = any(${param('trustedHashes')}::text[]) and ${isValidSql(placeholders)}
      limit 1)
    returning id`;
});

/** Deletes the secrets of this browser for the account, and the oldest trusted browsers beyond the limit. */
const REPLACE = new Statement<{ account: string; presentedHashes: string[]; max: number }, never>(
  'trusted-browser.replace',
  ({ param }) => sql`
    delete from trusted_browser t
    where t.account_id = ${param('account')}::uuid
      and (t.secret_hash = any(${param('presentedHashes')}::text[]) or t.id in (
        select k.id from trusted_browser k where k.account_id = t.account_id
        order by k.created_at desc, k.id offset ${param('max')}::integer - 1))`,
);

/** Nothing is written if the account has changed since its proofs were read. */
const TRUST = new Statement<
  { account: string; secret: string; browserWords: string | null; seconds: number; stamp: string },
  never
>(
  'trusted-browser.trust',
  ({ param, now }) => sql`
    insert into trusted_browser (account_id, secret_hash, stamp, browser, created_at, last_used_at, expires_at)
    select a.id, ${param('secret')}::text, ${TRUST_STAMP}, ${param('browserWords')}::text, ${now}, ${now}, ${now} + ${interval(param('seconds'))}
    from account a
    where a.id = ${param('account')}::uuid and ${TRUST_STAMP} = ${param('stamp')}::text`,
);

interface TrustedRow {
  id: string;
  browser: string | null;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  is_this: boolean;
}

const LIST = new Statement<TrustedValues & { account: string }, TrustedRow>(
  'trusted-browser.list',
  ({ param, now }) => sql`
    select t.id, t.browser, t.created_at, t.last_used_at,
      least(t.expires_at, t.created_at + ${interval(param('maxTrustSeconds'))}) as expires_at,
      t.secret_hash = any(${param('trustedHashes')}::text[]) as is_this
    from trusted_browser t join account a on a.id = t.account_id
    where t.account_id = ${param('account')}::uuid and ${isValidSql({ param, now })}
    order by t.created_at desc, t.id`,
);

const FIND_OTHER_SECRETS = new Statement<{ account: string; presentedHashes: string[] }, { secret_hash: string }>(
  'trusted-browser.of-others',
  ({ param, now }) => sql`
    select t.secret_hash from trusted_browser t
    where t.secret_hash = any(${param('presentedHashes')}::text[]) and t.account_id <> ${param('account')}::uuid and t.expires_at > ${now}`,
);

const END = new Statement<{ account: string; id: string | null }, unknown>(
  'trusted-browser.end',
  ({ param }) => sql`
    delete from trusted_browser
    where account_id = ${param('account')}::uuid and (${param('id')}::uuid is null or id = ${param('id')}::uuid)
    returning id`,
);

@Injectable()
export class TrustedBrowsers {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mfa'>,
  ) {}

  /** Lists the valid trusted browsers, newest first. @param presentedSecrets secrets of the requesting browser */
  async list(accountId: string, presentedSecrets: readonly string[] = []): Promise<TrustedBrowser[]> {
    const rows = await this.database.run(LIST, { account: accountId, ...this.#values(presentedSecrets) });
    return rows.map((row) => ({
      id: row.id,
      ...(row.browser === null ? {} : { browser: row.browser }),
      since: row.created_at,
      lastUsedAt: row.last_used_at,
      expiresAt: row.expires_at,
      isThis: row.is_this,
    }));
  }

  /**
   * Records the use of a trusted browser.
   * @param presentedSecrets secrets of the browser
   * @returns whether the browser replaces the second factor of this account
   */
  async use(accountId: string, presentedSecrets: readonly string[]): Promise<boolean> {
    if (presentedSecrets.length === 0 || !isAccountId(accountId)) return false;
    return (await this.database.run(USE, { account: accountId, ...this.#values(presentedSecrets) })).length > 0;
  }

  /** Makes the browser trusted, in the transaction that finishes a sign-in. */
  async trust(accountId: string, trust: NewTrust, trx: Transaction<Schema>): Promise<void> {
    const presentedHashes = toHashes(trust.presentedSecrets);
    await this.database.run(REPLACE, { account: accountId, presentedHashes, max: MAX_PER_ACCOUNT }, trx);
    const { lifetimeSeconds: seconds, stamp, userAgent } = trust;
    const values = {
      account: accountId,
      secret: fingerprint(trust.secret),
      browserWords: toBrowserWords(userAgent),
      seconds,
      stamp,
    };
    await this.database.run(TRUST, values, trx);
  }

  /** @returns the presented secrets that stay in the cookie next to a new secret: secrets for other accounts that have not expired */
  async findOtherSecrets(accountId: string, presentedSecrets: readonly string[]): Promise<string[]> {
    if (presentedSecrets.length === 0) return [];
    const rows = await this.database.run(FIND_OTHER_SECRETS, { account: accountId, presentedHashes: toHashes(presentedSecrets) });
    const otherHashes = new Set(rows.map((row) => row.secret_hash));
    return presentedSecrets.filter((secret) => otherHashes.has(fingerprint(secret)));
  }

  /** @param id id of a trusted browser; null for all @returns number of ended trusted browsers */
  async end(accountId: string, id: string | null, auditContext: AuditContext): Promise<number> {
    if (id !== null && !isAccountId(id)) return 0;
    return this.database.transaction(async (trx) => {
      // Changes the stamp, so that a browser that becomes trusted concurrently is not valid.
      if (id === null) await changeTrustStamp({ accountId, now: this.database.now() }, trx);
      const endedCount = (await this.database.run(END, { account: accountId, id }, trx)).length;
      if (endedCount > 0)
        await this.audit.record(
          { ...auditContext, kind: 'trusted-browser.ended', accountId, detail: { browsers: endedCount } },
          trx,
        );
      return endedCount;
    });
  }

  #values(presentedSecrets: readonly string[]): TrustedValues {
    return { trustedHashes: toHashes(presentedSecrets), maxTrustSeconds: this.config.mfa.trustedBrowserDays * 24 * 3600 };
  }
}

/**
 * Ends the trust of all browsers of an account, in the transaction that removes a factor. Otherwise, if the remaining factors were the
 * same as at an earlier time, the browsers that were trusted then would be trusted again.
 */
export async function endTrust(
  { accountId, now }: { accountId: string; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  await changeTrustStamp({ accountId, now }, trx);
  await trx.deleteFrom('trusted_browser').where('account_id', '=', accountId).execute();
}

async function changeTrustStamp(
  { accountId, now }: { accountId: string; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  await trx.updateTable('account').set({ trust_ended_at: now }).where('id', '=', accountId).execute();
}

function toHashes(secrets: readonly string[]): string[] {
  return secrets.map((secret) => fingerprint(secret));
}
