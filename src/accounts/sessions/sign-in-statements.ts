/** SQL of the sign-ins. */
import { sql, type RawBuilder } from 'kysely';
import { interval, Statement, type Placeholders } from '../../database/statement.js';
import { accountColumns, type AccountFields } from '../account/account.js';
import { countFactorsSql, type FactorCounts } from '../account/factor-counts.js';
import { lockProvenSql, type ProvenValues } from '../account/password-version.js';
import { buildEventColumns, insertEvent, type EventValues } from '../audit/insert-event.js';
import { addFormerBrowserSql, isAfterSql, lockBrowserSql, moveBrowserSql } from './browser-ids.js';
import { TRUST_STAMP } from './trusted-browsers.js';

/** How long a proof waits for the next proof. */
const PROOF_LIFETIME = sql.raw(`interval '10 minutes'`);
const CARRIED_LIFETIME = sql.raw(`interval '60 seconds'`);
/** Time within which the same browser gets an answer again: enough for double clicks, too short for replays. */
export const REPEAT_WINDOW = sql.raw(`interval '10 seconds'`);

export interface SignInRow {
  id: string;
  state: 'open' | 'identified' | 'answered';
  /** Whether the sign-in belongs to the requesting browser. */
  own: boolean;
  /** Whether the requesting browser has just sent the form that was answered. The browser may have its new id already. */
  repeated: boolean;
  /** Sealed. */
  answer: string | null;
  /** Sealed; null for other browsers, for an answered sign-in, and if no request is stored. */
  request: string | null;
  /** Each sealed; empty unless `own` or `repeated`. */
  former_browsers: string[];
}

/** Fingerprints of the challenge and of the browser id. */
type Owner = { challenge: string; browser: string };

/**
 * The columns of a sign-in `s`, as the requesting browser may see them. A sign-in with an expired proof or too many wrong codes
 * is open again.
 */
const selectColumnsSql = (browser: RawBuilder<string>, now: RawBuilder<Date>): RawBuilder<SignInRow> => {
  const isRepeated = sql`coalesce(${browser} in (s.answered_browser_hash, s.browser_hash) and s.answered_at > ${now} - ${REPEAT_WINDOW}, false)`;
  return sql`
  s.id, s.browser_hash = ${browser} as own,
  case when s.state = 'identified' and (s.closed_at is not null or s.proof_until <= ${now}) then 'open' else s.state end as state,
  ${isRepeated} as repeated, s.answer,
  case when s.browser_hash = ${browser} and s.state <> 'answered' then s.request end as request,
  case when s.browser_hash = ${browser} or ${isRepeated} then s.former_browsers else '{}' end as former_browsers`;
};

export const FIND = new Statement<Owner, SignInRow>(
  'sign-in.find',
  ({ param, now }) =>
    sql`select ${selectColumnsSql(param('browser'), now)} from sign_in s where s.challenge_hash = ${param('challenge')}`,
);

/** The update stores a newer request of the same browser, and makes PostgreSQL return the existing row. */
export const CLAIM = new Statement<Owner & { request: string | null; lifetimeSeconds: number }, SignInRow>(
  'sign-in.claim',
  ({ param, now }) => sql`
    insert into sign_in as s (challenge_hash, browser_hash, request, expires_at)
    values (${param('challenge')}, ${param('browser')}, ${param('request')}, ${now} + ${interval(param('lifetimeSeconds'))})
    on conflict (challenge_hash) do update set request = case
      when s.browser_hash = excluded.browser_hash and s.state <> 'answered' then coalesce(excluded.request, s.request)
      else s.request end
    returning ${selectColumnsSql(param('browser'), now)}`,
);

export interface IdentifiedRow extends AccountFields {
  sign_in_id: string;
  factors: FactorCounts;
  amr: string[];
  /** Sealed, like `request`. */
  proof: string;
  proof_id: string;
  request: string | null;
  closed: boolean;
  enrolment_id: string | null;
  trust_stamp: string;
}

/** Selects identified sign-ins with the account, whose id is `id`, and its factors. */
const selectIdentifiedSql = (condition: RawBuilder<unknown>, now: RawBuilder<Date>): RawBuilder<IdentifiedRow> => sql`
    select ${accountColumns('a')}, ${countFactorsSql(sql.ref('a.id'))} as factors, s.id as sign_in_id, s.amr, s.proof, s.proof_id, s.request,
      s.closed_at is not null as closed, ${TRUST_STAMP} as trust_stamp,
      (select m.id from manage_session m where m.sign_in_id = s.id and m.scope = 'enrol' and m.ended_at is null
       order by m.created_at desc limit 1) as enrolment_id
    from sign_in s join account a on a.id = s.account_id and a.status = 'active'
    where ${condition} and s.state = 'identified' and s.proof_until > ${now}`;

export const FIND_IDENTIFIED = new Statement<Owner, IdentifiedRow>('sign-in.find-identified', ({ param, now }) =>
  selectIdentifiedSql(sql`s.challenge_hash = ${param('challenge')} and s.browser_hash = ${param('browser')}`, now),
);

export const FIND_IDENTIFIED_BY_ID = new Statement<{ id: string; browser: string }, IdentifiedRow>(
  'sign-in.find-identified-by-id',
  ({ param, now }) => selectIdentifiedSql(sql`s.id = ${param('id')} and s.browser_hash = ${param('browser')}`, now),
);

/**
 * Whether this browser has the cookie of a manage session. The id of the browser alone does not prove that the session was opened there:
 * a person who has seen the id could open a session with an access token, and this session would be signed in once the owner signs in.
 * @param session fingerprint of the cookie of the account area that the browser presents
 */
const hasCookieSql = (session: RawBuilder<string | null>): RawBuilder<boolean> =>
  sql<boolean>`(browser_hash = ${session}::text) is true`;

/**
 * Moves the row, the other tabs and the sessions of the browser to its new id, and ends the person's manage sessions under the old id
 * whose cookie this browser does not have. Ends a set-up that an earlier proof of this request began. `proven` is false if the proof is
 * no longer valid, and `identified` is false if another form was answered first.
 */
export const IDENTIFY = new Statement<
  ProvenValues &
    Record<'id' | 'browser' | 'newId' | 'formerId' | 'proof' | 'answer', string> & { amr: string[]; session: string | null },
  { proven: boolean; identified: boolean }
>('sign-in.identify', (placeholders) => {
  const { param, now } = placeholders;
  const [oldId, newId, formerId, id] = [param('browser'), param('newId'), param('formerId'), param('id')];
  const condition = sql`exists (select from identified)`;
  return sql`
    with ${lockProvenSql(placeholders)}, ${lockBrowserSql(oldId, sql`proven`)}, identified as (
      update sign_in set state = 'identified', browser_hash = ${newId}, former_browsers = ${addFormerBrowserSql(formerId)},
        account_id = ${param('account')}::uuid, amr = ${param('amr')}::text[], proof = ${param('proof')}, proof_id = gen_random_uuid(), proof_until = ${now} + ${PROOF_LIFETIME},
        failures = 0, closed_at = null, token_hash = null, token_methods = null, token_until = null,
        answer = ${param('answer')}, answered_at = ${now}, answered_browser_hash = ${oldId}
      where id = ${id} and browser_hash = ${oldId} and state <> 'answered'
        and exists (select from proven) and ${isAfterSql(sql`locked`)}
      returning id
    ), ${moveBrowserSql({ oldId, newId, formerId, condition, exceptSignIn: id })}, changed_manage_sessions as (
      update manage_session set
        ended_at = case when account_id = ${param('account')}::uuid and not ${hasCookieSql(param('session'))}
          then coalesce(ended_at, ${now}) else ended_at end,
        entry_browser_hash = case when ${hasCookieSql(param('session'))} then ${newId} else entry_browser_hash end
      where entry_browser_hash = ${oldId} and ${condition}
    ), replaced as (
      update manage_session set ended_at = ${now} where sign_in_id in (select id from identified) and ended_at is null
    )
    select exists (select from proven) as proven, exists (select from identified) as identified`;
});

/**
 * Returns a row if a proof by a provider alone must not set up a factor. Runs while the account is locked. A password that is set later,
 * or a later freeze, ends the sign-in.
 */
export const NEEDS_OWN_PROOF = new Statement<{ account: string }, unknown>(
  'sign-in.needs-own-proof',
  ({ param, now }) => sql`
    select 1 from account a where a.id = ${param('account')}
      and (a.credentials_frozen_until > ${now} or exists (select from password_credential p where p.account_id = a.id))`,
);

const SET_ANSWERED = sql`state = 'answered', request = null, account_id = null, proof = null, token_hash = null`;

/** Stores the first answer, and records the event with it. @returns no row if there already is an answer */
export const ANSWER = new Statement<EventValues & { id: string; browser: string; answer: string }, { id: string }>(
  'sign-in.answer',
  (placeholders) => {
    const { param, now } = placeholders;
    return sql`
    with answered as (
      update sign_in set ${SET_ANSWERED}, answer = ${param('answer')}, answered_at = ${now}, answered_browser_hash = ${param('browser')}
      where id = ${param('id')} and state <> 'answered'
      returning id
    ), audited as (
      ${insertEvent(buildEventColumns(placeholders), sql`answered where ${param('event')}::text is not null`)}
    )
    select id from answered`;
  },
);

/**
 * Stores the first answer. Then everything of the browser gets its new id, and the audit log records who signed in. The manage sessions
 * of other people in this browser end, and so do the person's own manage sessions whose cookie this browser does not have. The account is
 * locked first, as in every transaction that ends its sign-ins, then the rows of the browser. @returns no row if there already is an answer
 */
export const FINISH = new Statement<
  EventValues & { id: string; browser: string; newId: string; formerId: string; answer: string; session: string | null },
  { has_account: boolean }
>('sign-in.finish', (placeholders) => {
  const { param, now } = placeholders;
  const [oldId, newId, formerId, id] = [param('browser'), param('newId'), param('formerId'), param('id')];
  const condition = sql`exists (select from answered)`;
  return sql`
    with owner as (
      select id from account where id = ${param('account')}::uuid for key share
    ), ${lockBrowserSql(oldId, sql`owner`)}, answered as (
      update sign_in set ${SET_ANSWERED}, browser_hash = ${newId}, former_browsers = ${addFormerBrowserSql(formerId)},
        answer = ${param('answer')}, answered_at = ${now}, answered_browser_hash = ${oldId}
      where id = ${id} and state <> 'answered' and ${isAfterSql(sql`locked`)}
      returning id
    ), ${moveBrowserSql({ oldId, newId, formerId, condition, exceptSignIn: id })}, changed_manage_sessions as (
      update manage_session set
        ended_at = case when account_id = ${param('account')}::uuid and ${hasCookieSql(param('session'))}
          then ended_at else coalesce(ended_at, ${now}) end,
        entry_browser_hash = case when entry_browser_hash = ${oldId} then ${newId} else entry_browser_hash end
      where (entry_browser_hash = ${oldId} or browser_hash = ${param('session')}::text) and ${condition}
    ), audited as (
      ${insertEvent(buildEventColumns(placeholders), sql`answered`)}
    )
    select exists (select from owner) as has_account from answered`;
});

/** Whether the sign-in waits for a second factor or a task, and may still receive it. */
const isWaitingSql = (id: RawBuilder<string>, now: RawBuilder<Date>): RawBuilder<boolean> =>
  sql<boolean>`id = ${id} and state = 'identified' and closed_at is null and proof_until > ${now}`;

type WaitingValues = { id: string; account: string; proof: string | null };

/**
 * Whether the row still waits, with the same proof of the first factor as when the second factor was requested. Another person may have
 * proven a first factor in the same row since, and the second factor must not be used for that person.
 */
const isStillWaitingSql = ({
  param,
  now,
}: Pick<Placeholders<WaitingValues>, 'param' | 'now'>): RawBuilder<boolean> => sql<boolean>`
  ${isWaitingSql(param('id'), now)} and account_id = ${param('account')}::uuid
    and (${param('proof')}::uuid is null or proof_id = ${param('proof')}::uuid)`;

/** Counts a failure before the code is checked, so that parallel codes cannot all be checked before the first failure is counted. */
export const RESERVE = new Statement<{ id: string; max: number }, unknown>(
  'sign-in.reserve',
  ({ param, now }) => sql`
    update sign_in set failures = failures + 1
    where ${isWaitingSql(param('id'), now)} and failures < ${param('max')}::integer
    returning 1`,
);

export const GIVE_BACK = new Statement<{ id: string }, never>(
  'sign-in.give-back',
  ({ param }) => sql`update sign_in set failures = greatest(failures - 1, 0) where id = ${param('id')}`,
);

export const FAIL = new Statement<{ id: string; max: number }, { closed: boolean }>(
  'sign-in.fail',
  ({ param, now }) => sql`
    update sign_in
    set closed_at = case when failures >= ${param('max')}::integer then coalesce(closed_at, ${now}) else closed_at end
    where id = ${param('id')} and state = 'identified'
    returning closed_at is not null as closed`,
);

/** Extends the wait of the sign-in, and the session of its set-up with it. */
export const EXTEND = new Statement<{ id: string; seconds: number }, never>(
  'sign-in.extend',
  ({ param, now }) => sql`
    with extended as (
      update sign_in set proof_until = greatest(proof_until, ${now} + ${interval(param('seconds'))})
      where ${isWaitingSql(param('id'), now)}
      returning id, proof_until
    )
    update manage_session m set expires_at = e.proof_until, kept_until = e.proof_until
    from extended e where m.sign_in_id = e.id and m.ended_at is null`,
);

/** Records a second factor without a token. */
export const PROVE = new Statement<WaitingValues & { methods: string[] }, unknown>('sign-in.prove', (placeholders) => {
  const { param, now } = placeholders;
  return sql`
    update sign_in
    set amr = amr || ${param('methods')}::text[] || array['mfa'], failures = 0, proof_until = ${now} + ${PROOF_LIFETIME},
      token_hash = null, token_methods = null, token_until = null
    where ${isStillWaitingSql(placeholders)}
    returning 1`;
});

export const REPLACE_PROOF = new Statement<WaitingValues & { text: string }, unknown>('sign-in.replace-proof', (placeholders) => {
  const { param, now } = placeholders;
  return sql`
    update sign_in set proof = ${param('text')}, proof_until = ${now} + ${PROOF_LIFETIME}
    where ${isStillWaitingSql(placeholders)}
    returning 1`;
});

/** Locks the sign-in until a change is committed. @returns no row if the sign-in no longer waits with this proof */
export const REQUIRE_WAITING = new Statement<WaitingValues, unknown>(
  'sign-in.require-waiting',
  (placeholders) => sql`select 1 from sign_in where ${isStillWaitingSql(placeholders)} for update`,
);

/** The sign-in waits as long as the token is valid, so that there is time to write down recovery codes. */
export const ISSUE_FACTOR_TOKEN = new Statement<WaitingValues & { token: string; methods: string[] }, unknown>(
  'sign-in.issue-factor-token',
  (placeholders) => {
    const { param, now } = placeholders;
    return sql`
    update sign_in
    set token_hash = ${param('token')}, token_methods = ${param('methods')}::text[], token_until = ${now} + ${PROOF_LIFETIME},
      proof_until = ${now} + ${PROOF_LIFETIME}, failures = 0
    where ${isStillWaitingSql(placeholders)}
    returning 1`;
  },
);

export const CONSUME_FACTOR_TOKEN = new Statement<{ id: string; token: string }, unknown>(
  'sign-in.consume-factor-token',
  ({ param, now }) => sql`
    update sign_in
    set amr = amr || token_methods || array['mfa'], token_hash = null, token_methods = null, token_until = null
    where ${isWaitingSql(param('id'), now)} and token_hash = ${param('token')} and token_until > ${now}
    returning 1`,
);

type CarriedKey = { carriedHash: string; browser: string };

/** Inserts a row without a challenge. @returns no row if the proof is no longer valid */
export const CARRY = new Statement<CarriedKey & ProvenValues & { amr: string[]; proof: string }, { id: string }>(
  'sign-in.carry',
  (placeholders) => {
    const { param, now } = placeholders;
    return sql`
    with ${lockProvenSql(placeholders)}
    insert into sign_in (state, carried_hash, browser_hash, account_id, amr, proof, proof_until, expires_at)
    select 'identified', ${param('carriedHash')}, ${param('browser')}, id, ${param('amr')}::text[], ${param('proof')},
      ${now} + ${CARRIED_LIFETIME}, ${now} + ${CARRIED_LIFETIME}
    from proven
    returning id`;
  },
);

/** Returns the proof with the account, whose id is `id`, and its factors. */
export const TAKE_CARRIED_PROOF = new Statement<
  CarriedKey,
  AccountFields & { factors: FactorCounts; amr: string[]; proof: string }
>(
  'sign-in.take-carried',
  ({ param, now }) => sql`
    delete from sign_in s using account a
    where s.carried_hash = ${param('carriedHash')} and s.browser_hash = ${param('browser')} and s.proof_until > ${now}
      and a.id = s.account_id and a.status = 'active'
    returning ${accountColumns('a')}, ${countFactorsSql(sql.ref('a.id'))} as factors, s.amr, s.proof`,
);
