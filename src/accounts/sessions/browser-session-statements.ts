/** SQL of the browser sessions. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { BrowserSessionTable } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';
import { provenPassword } from '../account/password-version.js';
import { stampedOwner } from '../account/security-stamp.js';
import { insertEvent } from '../audit/insert-event.js';

export type SessionRow = Omit<BrowserSessionTable, 'provider' | 'client_id' | 'address' | 'browser'>;

/**
 * The share lock waits for a transaction that disables the account and then sees its result; otherwise a session could
 * outlive the disabling.
 */
export const BEGIN = new Statement<
  Record<'account' | 'upstream' | 'browser' | 'acr', string> &
    Record<'version' | 'securityStamp' | 'provider' | 'previous' | 'client' | 'address' | 'agent', string | null> &
    Record<'lifetime' | 'kept', number> & { amr: string[]; remembered: boolean; providerAuthTime: Date | null },
  SessionRow & { has_revocations: boolean }
>(
  'browser-session.begin',
  ({ param, now }) => sql`
    with owner as (${stampedOwner({ account: param('account'), securityStamp: param('securityStamp') })}),
      password as (${provenPassword({ account: param('account'), version: param('version') })}),
      previous as (
        select exists (
          select from browser_session s
          where s.browser_hash = ${param('previous')}::text and s.account_id = ${param('account')}::uuid
            and s.remembered and s.expires_at > ${now}) as remembered
      )
    insert into browser_session
      (account_id, upstream_session_id, browser_hash, auth_time, acr, amr, expires_at, provider, provider_auth_time, remembered,
        client_id, address, browser)
    select id, ${param('upstream')}::text, ${param('browser')}::text, ${now}, ${param('acr')}::text, ${param('amr')}::text[],
           ${now} + case when previous.remembered then ${interval(param('kept'))} else ${interval(param('lifetime'))} end,
           ${param('provider')}::text, ${param('providerAuthTime')}::timestamptz, ${param('remembered')}::boolean or previous.remembered,
           ${param('client')}::text, ${param('address')}::text, ${param('agent')}::text
    from owner, previous where ${param('version')}::text is null or exists (select from password)
    on conflict (account_id, upstream_session_id) do update set
      browser_hash = excluded.browser_hash, auth_time = excluded.auth_time, acr = excluded.acr, amr = excluded.amr,
      expires_at = excluded.expires_at, provider = excluded.provider, remembered = excluded.remembered,
      provider_auth_time = excluded.provider_auth_time,
      client_id = excluded.client_id, address = excluded.address, browser = excluded.browser
    returning account_id, upstream_session_id, browser_hash, auth_time, acr, amr, provider_auth_time, expires_at, remembered,
      exists (select from revocation_job j where j.account_id = browser_session.account_id) as has_revocations`,
);

const active = (now: RawBuilder<Date>): RawBuilder<SessionRow> => sql`
    select s.account_id, s.upstream_session_id, s.browser_hash, s.auth_time, s.acr, s.amr, s.provider_auth_time, s.expires_at,
      s.remembered
    from browser_session s join account a on a.id = s.account_id
    where s.expires_at > ${now} and a.status = 'active'`;

export const FIND = new Statement<{ browser: string; account: string }, SessionRow>(
  'browser-session.find',
  ({ param, now }) => sql`
    ${active(now)} and s.account_id = ${param('account')} and s.browser_hash = ${param('browser')}
    order by s.auth_time desc limit 1`,
);

export const FIND_IN_BROWSER = new Statement<{ browser: string }, SessionRow>(
  'browser-session.find-in-browser',
  ({ param, now }) => sql`
    ${active(now)} and s.browser_hash = ${param('browser')}
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
    ${active(now)} and s.account_id = ${param('account')} and s.upstream_session_id = ${param('upstream')}`,
);

export const MOVE = new Statement<{ old: string; new: string }, never>(
  'browser-session.move',
  ({ param }) => sql`update browser_session set browser_hash = ${param('new')} where browser_hash = ${param('old')}`,
);

/**
 * Last step of a sign-in: moves the sessions, open challenges and pending authentications of the browser to its new id, and
 * records the sign-in in the audit log.
 */
export const SIGNED_IN = new Statement<
  { old: string; new: string; account: string; address: string; request: string; client: string; amr: string[] },
  never
>(
  'browser-session.signed-in',
  ({ param, now }) => sql`
    with moved as (
      update browser_session set browser_hash = ${param('new')} where browser_hash = ${param('old')} returning account_id
    ), open as (
      update challenge_record set browser_hash = ${param('new')}
      where browser_hash = ${param('old')} and finished_at is null
      returning kind
    ), pending as (
      update pending_authentication set browser_hash = ${param('new')} where browser_hash = ${param('old')} returning id
    )
    ${insertEvent({
      at: now,
      kind: 'sign-in.ok',
      account: param('account'),
      address: param('address'),
      request: param('request'),
      detail: sql`jsonb_build_object('client', ${param('client')}::text, 'amr', ${param('amr')}::text[])`,
    })}`,
);
