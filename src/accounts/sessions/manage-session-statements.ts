/** SQL of the manage sessions and of the families of their RPC tokens. */
import { sql, type RawBuilder } from 'kysely';
import { interval, Statement, type Placeholders } from '../../database/statement.js';
import { FACTOR_METHODS } from '../../contract/authentication.js';
import { insertEvent } from '../audit/insert-event.js';

/** `seen_at` is updated at most this often. */
const TOUCH_INTERVAL = sql.raw(`interval '60 seconds'`);
/** Tolerance between the clocks of two servers. */
const CLOCK_SKEW = sql.raw(`interval '5 seconds'`);
/** How long a used token is accepted again, for parallel calls and lost answers. */
const REPEAT = sql.raw(`interval '10 seconds'`);

export interface SessionRow {
  id: string;
  account_id: string;
  scope: 'manage' | 'enrol';
  sign_in_id: string | null;
  return_to_url: string | null;
  return_to_name: string | null;
  fresh: boolean;
  /** See `isFactorProvenSql`. */
  factor_proven: boolean;
  signed_in: boolean;
}

type Limits = {
  idleSeconds: number;
  proofSeconds: number;
  /** Whether the installation uses passkeys. */
  passkeys: boolean;
};

export interface OpenValues extends Record<string, unknown> {
  account: string;
  /** Fingerprints of the new cookie, the token, the presented cookie and the browser id. */
  secret: string;
  token: string;
  session: string | null;
  browser: string;
  client: string;
  returnUrl: string | null;
  returnName: string | null;
  provenAt: Date | null;
  factorProvenAt: Date | null;
  /** Whether a browser opened the session, rather than another kind of client. */
  byBrowser: boolean;
  tokenIssuedAt: Date | null;
  tokenExpiresAt: Date | null;
  lifetimeSeconds: number;
}

/**
 * An access token belongs to the first browser that presents it; the unique index decides between concurrent browsers. The share
 * lock waits for a transaction that disables the account. A token that was issued before the access of the account last ended (new
 * password, reset, "that was not me", all sessions ended) does not open a new session, because an attacker may have it.
 */
export const OPEN = new Statement<OpenValues, { id: string }>(
  'manage-session.open',
  ({ param, now }) => sql`
    with owner as (
      select id from account a where id = ${param('account')} and status = 'active'
        and (exists (select from manage_session where access_token_hash = ${param('token')}::text)
          or (a.access_ended_at > ${param('tokenIssuedAt')}::timestamptz + ${CLOCK_SKEW}) is not true)
      for share
    )
    insert into manage_session as m (account_id, scope, browser_hash, access_token_hash, entry_browser_hash, client_id,
      return_to_url, return_to_name, proven_at, factor_proven_at, created_at, seen_at, by_browser, expires_at, kept_until)
    select id, 'manage', ${param('secret')}::text, ${param('token')}::text, ${param('browser')}::text, ${param('client')}::text,
      ${param('returnUrl')}::text, ${param('returnName')}::text, ${param('provenAt')}::timestamptz,
      ${param('factorProvenAt')}::timestamptz, ${now}, ${now}, ${param('byBrowser')}::boolean,
      ${now} + ${interval(param('lifetimeSeconds'))},
      greatest(${now} + ${interval(param('lifetimeSeconds'))}, ${param('tokenExpiresAt')}::timestamptz)
    from owner
    on conflict (access_token_hash) do update set
      browser_hash = excluded.browser_hash, entry_browser_hash = excluded.entry_browser_hash,
      return_to_url = excluded.return_to_url, return_to_name = excluded.return_to_name,
      by_browser = m.by_browser or excluded.by_browser,
      proven_at = greatest(m.proven_at, excluded.proven_at),
      factor_proven_at = greatest(m.factor_proven_at, excluded.factor_proven_at), seen_at = excluded.seen_at, expires_at = excluded.expires_at,
      kept_until = greatest(m.kept_until, excluded.kept_until)
    where m.ended_at is null and m.account_id = excluded.account_id
      and (m.browser_hash = ${param('session')} or m.entry_browser_hash = ${param('browser')})
    returning id`,
);

/** A reload of the page continues the existing session. */
export const BEGIN_ENROLMENT = new Statement<{ account: string; signIn: string; browser: string }, { id: string }>(
  'manage-session.begin-enrolment',
  ({ param, now }) => sql`
    with waiting as (
      select i.id, i.account_id, i.proof_until as expires_at from sign_in i join account a on a.id = i.account_id
      where i.id = ${param('signIn')} and i.account_id = ${param('account')} and i.state = 'identified' and i.closed_at is null
        and i.proof_until > ${now} and a.status = 'active'
    ), known as (
      select s.id from manage_session s join waiting on waiting.id = s.sign_in_id
      where s.browser_hash = ${param('browser')} and s.ended_at is null and s.expires_at > ${now}
      limit 1
    ), begun as (
      insert into manage_session (account_id, scope, browser_hash, sign_in_id, created_at, seen_at, expires_at, kept_until)
      select account_id, 'enrol', ${param('browser')}::text, id, ${now}, ${now}, expires_at, expires_at
      from waiting where not exists (select from known)
      returning id
    )
    select id from known union all select id from begun`,
);

/** Time since which the account of a session `s` has a second factor; null if it has none. */
const FACTOR_SINCE = sql<Date | null>`(select min(f.since) from account_factor f where f.account_id = s.account_id)`;

/**
 * Whether a second factor or passkey was proven or set up in a session `s`, or the last sign-in of its browser has proven one. False for an
 * account without a second factor. A proof that is older than all second factors of the account proves none of them.
 */
const isFactorProvenSql = (now: RawBuilder<Date>): RawBuilder<boolean> => sql<boolean>`
        coalesce(greatest(s.factor_proven_at, (
            select case when b.amr && ${[...FACTOR_METHODS]}::text[] then b.auth_time end from browser_session b
            where b.account_id = s.account_id and b.browser_hash = s.entry_browser_hash and b.expires_at > ${now}
            order by b.auth_time desc limit 1)) >= ${FACTOR_SINCE}, false)`;

/** Whether anything was ever proven in a session `s`, or its browser is signed in. An access token alone is not a proof. */
const isSignedInSql = (now: RawBuilder<Date>): RawBuilder<boolean> => sql<boolean>`
        (s.proven_at is not null or exists (select from browser_session b
          where b.account_id = s.account_id and b.browser_hash = s.entry_browser_hash and b.expires_at > ${now}))`;

/**
 * Whether the proof of a session `s` is fresh. Evaluated at each use, because the account may have got a second factor or passkey since
 * the proof.
 */
export const isFreshSql = (
  values: Record<'proofSeconds', RawBuilder<number>> & { passkeys: RawBuilder<boolean>; now: RawBuilder<Date> },
): RawBuilder<boolean> =>
  sql<boolean>`
        coalesce(case when ${values.passkeys}::boolean and exists (select from passkey p where p.account_id = s.account_id)
          then s.factor_proven_at else s.proven_at end > ${values.now} - ${interval(values.proofSeconds)}, false)
        and (${FACTOR_SINCE} is null or ${isFactorProvenSql(values.now)})`;

export const FIND_BY_COOKIE = new Statement<Limits & { secret: string }, SessionRow>(
  'manage-session.find-by-cookie',
  ({ param, now }) => sql`
    with found as (
      select s.id, s.account_id, s.scope, s.sign_in_id, s.return_to_url, s.return_to_name, s.seen_at,
        ${isFreshSql({ proofSeconds: param('proofSeconds'), passkeys: param('passkeys'), now })} as fresh,
        ${isFactorProvenSql(now)} as factor_proven, ${isSignedInSql(now)} as signed_in
      from manage_session s join account a on a.id = s.account_id
      where s.browser_hash = ${param('secret')} and s.scope = 'manage' and s.ended_at is null
        and s.expires_at > ${now} and s.seen_at > ${now} - ${interval(param('idleSeconds'))} and a.status = 'active'
    ), touched as (
      update manage_session set seen_at = ${now}
      where id in (select id from found where seen_at <= ${now} - ${TOUCH_INTERVAL}) and seen_at <= ${now} - ${TOUCH_INTERVAL}
      returning id
    )
    select id, account_id, scope, sign_in_id, return_to_url, return_to_name, fresh, factor_proven, signed_in from found`,
);

const toLimitParams = <Values extends Limits>(
  param: Placeholders<Values>['param'],
): { [Name in keyof Limits]: RawBuilder<Values[Name]> } => ({
  idleSeconds: param('idleSeconds'),
  proofSeconds: param('proofSeconds'),
  passkeys: param('passkeys'),
});

const findActiveSql = (
  values: Record<'proofSeconds' | 'idleSeconds', RawBuilder<number>> & {
    passkeys: RawBuilder<boolean>;
    session: RawBuilder<string>;
    now: RawBuilder<Date>;
  },
): RawBuilder<SessionRow> => sql`
      select s.id, s.account_id, s.scope, s.sign_in_id, s.return_to_url, s.return_to_name, s.seen_at,
        s.scope = 'enrol' or coalesce(s.by_browser, false) as by_browser,
        ${isFreshSql(values)} as fresh, ${isFactorProvenSql(values.now)} as factor_proven, ${isSignedInSql(values.now)} as signed_in
      from manage_session s join account a on a.id = s.account_id
      where s.id = ${values.session} and s.ended_at is null and s.expires_at > ${values.now}
        and s.seen_at > ${values.now} - ${interval(values.idleSeconds)} and a.status = 'active'
        and (s.sign_in_id is null or exists (
          select from sign_in i where i.id = s.sign_in_id and i.state = 'identified' and i.closed_at is null
            and i.proof_until > ${values.now}))`;

export const FIND_BY_ID = new Statement<Limits & { session: string }, SessionRow>(
  'manage-session.find-admitted',
  ({ param, now }) => findActiveSql({ session: param('session'), ...toLimitParams(param), now }),
);

export interface AdmitValues extends Record<string, unknown>, Limits {
  session: string;
  /** Fingerprints of the cookies of the call: the cookie of the account area and the browser id. */
  cookie: string | null;
  browser: string;
  /** Whether the call comes from a browser. */
  byBrowser: boolean;
  family: string;
  step: number;
  address: string | null;
  request: string | null;
}

/**
 * Records a token of an active session that came without the cookie of the session, because it may be stolen. Writes at most one
 * event in ten minutes for each account.
 */
export const RECORD_REFUSAL = new Statement<
  Limits & { session: string; cookie: string | null; browser: string; address: string | null; request: string | null },
  { seq: number }
>(
  'manage-session.refused',
  ({ param, now, buildSinks }) => sql`
    ${insertEvent(
      {
        at: now,
        kind: 'token.refused',
        account: sql`alive.account_id`,
        address: param('address'),
        request: param('request'),
        sinks: buildSinks && buildSinks({ kind: 'token.refused' }),
      },
      sql`(${findActiveSql({ session: param('session'), ...toLimitParams(param), now })}) alive
        join manage_session s on s.id = alive.id
      where (s.browser_hash = case s.scope when 'manage' then ${param('cookie')}::text else ${param('browser')}::text end) is not true
        and not exists (select from audit_event e
          where e.account_id = alive.account_id and e.kind = 'token.refused' and e.at > ${now} - interval '10 minutes')`,
    )}
    returning seq`,
);

/** Common table expressions that find the active session of a call; none if the required cookie of the session is missing. */
const findAdmissibleSql = ({ param, now }: Placeholders<AdmitValues>): RawBuilder<unknown> => sql`
    presented as (
      select s.id, s.browser_hash = case s.scope when 'manage' then ${param('cookie')}::text else ${param('browser')}::text end as cookie
      from manage_session s where s.id = ${param('session')}
    ), alive as (
      select active.*, coalesce(presented.cookie, false) as cookie
      from (${findActiveSql({ session: param('session'), ...toLimitParams(param), now })}) active
        join presented on presented.id = active.id
      where presented.cookie or not (${param('byBrowser')}::boolean or active.by_browser
        or coalesce((select with_cookie from before), false))
    )`;

function insertReuse({ param, now, buildSinks }: Placeholders<AdmitValues>): RawBuilder<never> {
  const kind = 'token.reused';
  const sinks = buildSinks && buildSinks({ kind });
  const request = { address: param('address'), request: param('request') };
  return insertEvent({ at: now, kind, account: sql`alive.account_id`, ...request, sinks }, sql`alive, reuse`);
}

/**
 * Admits one call: locks the row of the token family and advances it in one statement, so that parallel calls on any replica
 * agree. If s is the newest used step, a token of step s+1 advances the family. Tokens of steps s and s-1 are accepted again for ten
 * seconds after their first use. Tokens of larger steps were never issued. All other tokens are stolen or replayed and end the family.
 *
 * The cookie of the session is also required if the call comes from a browser, if a browser opened the session, or if the family began
 * with the cookie, so that a stolen token alone is useless. A call without the required cookie changes nothing.
 */
export const ADMIT = new Statement<AdmitValues, SessionRow & { step: number; ended: boolean; reused: boolean }>(
  'manage-session.admit',
  ({ param, now, buildSinks }) => sql`
    with before as (
      select ended_at, with_cookie from rpc_family where id = ${param('family')}::text for update
    ), ${findAdmissibleSql({ param, now, buildSinks })}, family as (
      insert into rpc_family as f (id, session_id, step, stepped_at, with_cookie)
      select ${param('family')}::text, id, 0, ${now}, alive.cookie from alive left join before on true
      where ${param('step')}::integer = 0 or exists (select from rpc_family where id = ${param('family')})
      on conflict (id) do update set
        step = case when ${param('step')}::integer = f.step + 1 and f.ended_at is null then f.step + 1 else f.step end,
        previous_at = case when ${param('step')}::integer = f.step + 1 then f.stepped_at else f.previous_at end,
        stepped_at = case when ${param('step')}::integer = f.step + 1 then excluded.stepped_at else f.stepped_at end,
        ended_at = case
          when f.ended_at is not null then f.ended_at
          when ${param('step')}::integer > f.step then null
          when ${param('step')}::integer = f.step and f.stepped_at >= ${now} - ${REPEAT} then null
          when ${param('step')}::integer = f.step - 1 and f.previous_at >= ${now} - ${REPEAT} then null
          else excluded.stepped_at end
      returning f.step, f.ended_at
    ), reuse as (
      select from family join before on before.ended_at is null where family.ended_at is not null
    ), audited as (
      ${insertReuse({ param, now, buildSinks })}
      returning seq
    ), touched as (
      update manage_session set seen_at = ${now}
      where id in (select alive.id from alive, family where family.ended_at is null and alive.seen_at <= ${now} - ${TOUCH_INTERVAL})
        and seen_at <= ${now} - ${TOUCH_INTERVAL}
      returning id
    )
    select alive.id, account_id, scope, sign_in_id, return_to_url, return_to_name, fresh, factor_proven, signed_in, family.step,
      family.ended_at is not null as ended, exists (select from reuse) as reused
    from alive, family`,
);
