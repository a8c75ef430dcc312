/** SQL of the browser sessions. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { fingerprint } from '../../config/keys.js';
import { FACTOR_METHODS } from '../../contract/authentication.js';
import type { BrowserSessionTable, Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';
import { accountColumns, type AccountFields } from '../account/account.js';
import { findSubjectSql } from '../account/account-subjects.js';
import { countFactorsSql, type FactorCounts } from '../account/factor-counts.js';
import { lockProvenSql, type ProvenValues } from '../account/password-version.js';
import { selectOutdatedSql, type OutdatedColumns } from './outdated-person.js';
import { buildEventColumns, insertEvent, type EventValues } from '../audit/insert-event.js';
import { REPEAT_WINDOW } from './sign-in-statements.js';

export type SessionRow = Omit<
  BrowserSessionTable,
  'provider' | 'client_id' | 'address' | 'browser' | 'trusted' | 'last_used_at' | 'console_ended_at'
> & {
  trusted: boolean;
};

export type BeginValues = ProvenValues &
  Record<'browser' | 'acr', string> &
  Record<'upstream' | 'provider' | 'previousBrowser' | 'client' | 'address' | 'browserWords', string | null> &
  Record<'lifetimeSeconds' | 'rememberedLifetimeSeconds', number> & {
    amr: string[];
    remembered: boolean;
    trusted: boolean;
    providerAuthTime: Date | null;
  };

export type BegunRow = SessionRow & { has_revocations: boolean; subject: string | null; is_new: boolean };

/**
 * Begins a session, or replaces the record of a session at Hydra. Without the lock, a session could outlive the disabling of its account.
 * If the account had a remembered session in this browser, the new session is remembered too. A session that began a moment ago is also
 * found by its id at Hydra, because the first click of a double click may already have moved it to the new browser id. An older session
 * is not found by that id: a browser that has lost the cookies of a session stays signed in only if the person chooses this again.
 */
export const BEGIN = new Statement<BeginValues, BegunRow>('browser-session.begin', (placeholders) => {
  const { param, now } = placeholders;
  return sql`
    with ${lockProvenSql(placeholders)}
    insert into browser_session
      (account_id, upstream_session_id, browser_hash, auth_time, acr, amr, expires_at, provider, provider_auth_time, remembered,
        client_id, address, browser, trusted)
    select proven.id, ${param('upstream')}::text, ${param('browser')}::text, ${now}, ${param('acr')}::text, ${param('amr')}::text[],
           ${now} + case when previous.remembered then ${interval(param('rememberedLifetimeSeconds'))} else ${interval(param('lifetimeSeconds'))} end,
           ${param('provider')}::text, ${param('providerAuthTime')}::timestamptz, ${param('remembered')}::boolean or previous.remembered,
           ${param('client')}::text, ${param('address')}::text, ${param('browserWords')}::text, ${param('trusted')}::boolean
    from proven, (
      select exists (
        select from browser_session s
        where ${param('previousBrowser')}::text is not null and s.account_id = ${param('account')}::uuid
          and (s.browser_hash = ${param('previousBrowser')}::text
            or (s.upstream_session_id = ${param('upstream')}::text and s.auth_time > ${now} - ${REPEAT_WINDOW}))
          and s.remembered and s.expires_at > ${now}) as remembered) previous
    on conflict (account_id, upstream_session_id) do update set
      browser_hash = excluded.browser_hash, auth_time = excluded.auth_time, acr = excluded.acr, amr = excluded.amr,
      expires_at = excluded.expires_at, provider = excluded.provider, remembered = excluded.remembered,
      provider_auth_time = excluded.provider_auth_time,
      client_id = excluded.client_id, address = excluded.address, browser = excluded.browser, trusted = excluded.trusted
    returning account_id, upstream_session_id, browser_hash, auth_time, acr, amr, provider_auth_time, expires_at, remembered, trusted,
      exists (select from revocation_job j where j.account_id = browser_session.account_id) as has_revocations,
      ${findSubjectSql(sql.ref('browser_session.account_id'))} as subject,
      -- PostgreSQL sets xmax in a row that this statement has updated.
      browser_session.xmax = 0 as is_new`;
});

/** @returns null for an id that PostgreSQL cannot store as text: no session has such an id */
export function toStoredUpstreamId(upstreamSessionId: string): string | null {
  return upstreamSessionId.includes('\u0000') ? null : upstreamSessionId;
}

const selectActiveSql = (now: RawBuilder<Date>): RawBuilder<SessionRow> => sql`
    select s.account_id, s.upstream_session_id, s.browser_hash, s.auth_time, s.acr, s.amr, s.provider_auth_time, s.expires_at,
      s.remembered, s.trusted
    from browser_session s join account a on a.id = s.account_id
    where s.expires_at > ${now} and a.status = 'active'`;

export const FIND = new Statement<{ browser: string; account: string }, SessionRow>(
  'browser-session.find',
  ({ param, now }) => sql`
    ${selectActiveSql(now)} and s.account_id = ${param('account')} and s.browser_hash = ${param('browser')}
    order by s.auth_time desc limit 1`,
);

export const FIND_IN_BROWSER = new Statement<{ browser: string }, SessionRow>(
  'browser-session.find-in-browser',
  ({ param, now }) => sql`
    ${selectActiveSql(now)} and s.browser_hash = ${param('browser')}
    order by s.auth_time desc limit 1`,
);

export const REMEMBERED_SECONDS = new Statement<{ browser: string }, { seconds: number }>(
  'browser-session.remembered-seconds',
  ({ param, now }) => sql`
    select ceil(extract(epoch from s.expires_at - ${now}))::integer as seconds
    from (select * from browser_session where browser_hash = ${param('browser')} order by auth_time desc limit 1) s
    where s.remembered and s.expires_at > ${now}`,
);

export const FIND_BY_UPSTREAM = new Statement<{ upstream: string; account: string }, SessionRow>(
  'browser-session.find-by-upstream',
  ({ param, now }) => sql`
    ${selectActiveSql(now)} and s.account_id = ${param('account')} and s.upstream_session_id = ${param('upstream')}`,
);

export const CONTINUE = new Statement<EventValues & { owner: string; upstream: string }, never>(
  'browser-session.continue',
  (placeholders) => {
    const { param, now } = placeholders;
    return sql`
    with used as (
      update browser_session set last_used_at = ${now}
      where account_id = ${param('owner')}::uuid and upstream_session_id = ${param('upstream')}::text
    )
    ${insertEvent(buildEventColumns(placeholders), sql`(select) x where ${param('event')}::text is not null`)}`;
  },
);

/** Makes the session end with the browser. */
export const END_WITH_BROWSER = new Statement<{ browser: string }, never>(
  'browser-session.end-with-browser',
  ({ param }) => sql`update browser_session set remembered = false where browser_hash = ${param('browser')}`,
);

/** Ends a session in Foyer, but not at Hydra. */
export const DISCARD = new Statement<{ browser: string }, never>(
  'browser-session.discard',
  ({ param }) => sql`delete from browser_session where browser_hash = ${param('browser')}`,
);

/** Moves a session to the browser to which the sign-in now belongs. */
export const MOVE = new Statement<{ signIn: string; browser: string }, never>(
  'browser-session.move',
  ({ param }) => sql`
    update browser_session b set browser_hash = s.browser_hash
    from sign_in s where s.id = ${param('signIn')} and b.browser_hash = ${param('browser')}`,
);

export type AccountSessionRow = AccountFields &
  OutdatedColumns & { factors: FactorCounts } & (SessionRow | { [Name in keyof SessionRow]: null });

/** Finds the account in any state, and its session only if the account is active and the session has not expired. */
export const FIND_WITH_ACCOUNT = new Statement<
  { upstream: string | null; account: string; freshnessSeconds: number },
  AccountSessionRow
>(
  'browser-session.find-owned',
  ({ param, now }) => sql`
    select ${accountColumns('a')}, ${countFactorsSql(sql.ref('a.id'))} as factors, s.*,
      ${selectOutdatedSql({ signedInAt: sql.ref('s.auth_time'), freshnessSeconds: param('freshnessSeconds'), now })}
    from account a left join (
      ${selectActiveSql(now)} and s.account_id = ${param('account')} and s.upstream_session_id = ${param('upstream')}::text
    ) s on s.account_id = a.id
    left join source_account link on link.account_id = a.id
    where a.id = ${param('account')}`,
);

/**
 * Checks the session in which a change began. Runs in the transaction of the change, because the session may have ended since.
 * @returns null if the session has ended; otherwise whether its sign-in has proven a second factor that the account has now
 */
export async function findSignedInSession(
  { browser, accountId, now }: { browser: string; accountId: string; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<{ hasProvenFactor: boolean } | null> {
  const isFactorProven = sql<boolean>`coalesce(amr && ${[...FACTOR_METHODS]}::text[]
    and auth_time >= (select min(f.since) from account_factor f where f.account_id = browser_session.account_id), false)`;
  const session = trx
    .selectFrom('browser_session')
    .select(isFactorProven.as('hasProvenFactor'))
    .where('browser_hash', '=', fingerprint(browser))
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('auth_time', 'desc');
  return (await session.executeTakeFirst()) ?? null;
}
