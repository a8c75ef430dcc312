/** SQL of the pending authentications. */
import { sql, type RawBuilder } from 'kysely';
import { interval, Statement, type Placeholders } from '../../database/statement.js';
import { accountColumns, type AccountFields } from '../account/account.js';
import { factorCounts, type FactorCounts } from '../account/factor-counts.js';
import { provenPassword } from '../account/password-version.js';
import { stampedOwner } from '../account/security-stamp.js';
import {
  endPendingSql,
  evaluatedFirst,
  lockChallengesSql,
  moveChallengesSql,
  movePendingSql,
  moveSessionsSql,
} from './browser-moves.js';
import { transferRecordSql } from './challenge-record-statements.js';
import { TRUST_STAMP } from './trusted-browsers.js';

const LIFETIME = sql.raw(`interval '10 minutes'`);

export interface PendingRow extends AccountFields {
  pending_id: string;
  factors: FactorCounts;
  amr: string[];
  context: string;
  closed: boolean;
  enrolment_id: string | null;
  trust_stamp: string;
}

type NewRow = {
  /** Fingerprints: of what it belongs to, and of the browser id. */
  challenge: string;
  browser: string;
  account: string;
  /** Sealed. */
  context: string;
  amr: readonly string[];
  /** Of the proven password, if one was proven. */
  version: string | null;
  /** Of the account, if another proof was used. */
  securityStamp: string | null;
};

/** The account, locked, unless it or what was proven has changed since: the parts `owner`, `password` and `proven`. */
function provenSql({ param }: Pick<Placeholders<NewRow>, 'param'>): RawBuilder<unknown> {
  return sql`
    owner as (${stampedOwner({ account: param('account'), securityStamp: param('securityStamp') })}),
    password as (${provenPassword({ account: param('account'), version: param('version') })}),
    proven as (select id from owner where ${param('version')}::text is null or exists (select from password))`;
}

/** @param from a table of accounts, and the condition */
function insertSql(
  { param, now }: Placeholders<NewRow>,
  { lifetime, from }: { lifetime: RawBuilder<unknown>; from: RawBuilder<unknown> },
): RawBuilder<{ id: string }> {
  return sql`
    insert into pending_authentication (challenge_hash, browser_hash, account_id, context, amr, expires_at)
    select ${param('challenge')}::text, ${param('browser')}::text, id, ${param('context')}::text, ${param('amr')}::text[], ${now} + ${lifetime}
    from ${from}
    returning id`;
}

/** `browser`: the new one. `answer`: sealed. */
export type BegunValues = NewRow & { old: string; answer: string };

/**
 * The step from the first factor to the second: the challenge goes to the new id of the browser, what was pending for it is
 * replaced, and everything else of the browser moves along. Locks in the order of the end of a sign-in (`finished-sign-ins.ts`).
 * `proven` is false if the account or what was proven has changed since; `id` is null if the challenge is not open in this browser.
 */
export const BEGIN = new Statement<BegunValues, { proven: boolean; id: string | null }>('pending.begin', (placeholders) => {
  const { param, now } = placeholders;
  const [old, next, challenge, kind] = [param('old'), param('browser'), param('challenge'), sql.lit('login')];
  const condition = sql`exists (select from record)`;
  const move = { old, next, condition, except: { kind, challenge } };
  const of = { kind, challenge, browser: old, next, result: param('answer'), now };
  return sql`
    with ${provenSql(placeholders)}, waiting as (
      ${lockChallengesSql(old, sql`exists (select from proven)`)}
    ), record as (
      ${transferRecordSql(of, sql`exists (select from proven) and ${evaluatedFirst(sql`waiting`)}`)}
    ), challenges as (
      ${moveChallengesSql(move)}
    ), sessions as (
      ${moveSessionsSql(move)}
    ), pending as (
      ${movePendingSql(move)}
    ), replaced as (
      ${endPendingSql(challenge, condition)}
    ), begun as (
      ${insertSql(placeholders, { lifetime: LIFETIME, from: sql`proven where ${condition} and ${evaluatedFirst(sql`replaced`)}` })}
    ), managed as (
      update manage_session set entry_browser_hash = ${next} where entry_browser_hash = ${old} and ${condition} returning id
    )
    select exists (select from proven) as proven, (select id from begun) as id`;
});

/** For a proof that waits for its request to start again (`carried-proofs.ts`). */
export const CARRY = new Statement<NewRow, { id: string }>(
  'carried.keep',
  (placeholders) => sql`
    with ${provenSql(placeholders)}
    ${insertSql(placeholders, { lifetime: sql.raw(`interval '60 seconds'`), from: sql`proven` })}`,
);

/** Runs while the account is locked; a later password or freeze ends the pending sign-in. */
export const OWN_PROOF = new Statement<{ account: string }, unknown>(
  'pending.own-proof',
  ({ param, now }) => sql`
    select 1 from account a where a.id = ${param('account')}
      and (a.credentials_frozen_until > ${now} or exists (select from password_credential p where p.account_id = a.id))`,
);

/** With the account, whose id is `id`, and its factors. */
const found = (condition: RawBuilder<unknown>, now: RawBuilder<Date>): RawBuilder<PendingRow> => sql`
    select ${accountColumns('a')}, ${factorCounts(sql.ref('a.id'))} as factors, p.id as pending_id, p.amr, p.context,
      p.closed_at is not null as closed, ${TRUST_STAMP} as trust_stamp,
      (select m.id from manage_session m where m.pending_id = p.id and m.scope = 'enrol' and m.ended_at is null
       order by m.created_at desc limit 1) as enrolment_id
    from pending_authentication p join account a on a.id = p.account_id and a.status = 'active'
    where ${condition} and p.expires_at > ${now}`;

export const FIND = new Statement<{ challenge: string; browser: string }, PendingRow>('pending.find', ({ param, now }) =>
  found(sql`p.challenge_hash = ${param('challenge')} and p.browser_hash = ${param('browser')}`, now),
);

export const FIND_BY_ID = new Statement<{ id: string; browser: string }, PendingRow>('pending.find-by-id', ({ param, now }) =>
  found(sql`p.id = ${param('id')} and p.browser_hash = ${param('browser')}`, now),
);

/** Counted before the code is checked, so that parallel codes are not all checked before the first failure is counted. */
export const RESERVE = new Statement<{ id: string; most: number }, unknown>(
  'pending.reserve',
  ({ param, now }) => sql`
    update pending_authentication set failures = failures + 1
    where id = ${param('id')} and closed_at is null and expires_at > ${now} and failures < ${param('most')}::integer
    returning 1`,
);

export const GIVE_BACK = new Statement<{ id: string }, never>(
  'pending.give-back',
  ({ param }) => sql`update pending_authentication set failures = greatest(failures - 1, 0) where id = ${param('id')}`,
);

export const FAIL = new Statement<{ id: string; most: number }, { closed: boolean }>(
  'pending.fail',
  ({ param, now }) => sql`
    update pending_authentication
    set closed_at = case when failures >= ${param('most')}::integer then coalesce(closed_at, ${now}) else closed_at end
    where id = ${param('id')}
    returning closed_at is not null as closed`,
);

/** With the session of its set-up, which ends with it. */
export const EXTEND = new Statement<{ id: string; seconds: number }, never>(
  'pending.extend',
  ({ param, now }) => sql`
    with extended as (
      update pending_authentication set expires_at = greatest(expires_at, ${now} + ${interval(param('seconds'))})
      where id = ${param('id')} and closed_at is null and expires_at > ${now}
      returning id, expires_at
    )
    update manage_session s set expires_at = e.expires_at, kept_until = e.expires_at
    from extended e where s.pending_id = e.id and s.ended_at is null`,
);

/** The code of a form was right: proven at once. */
export const PROVE = new Statement<{ id: string; methods: string[] }, unknown>(
  'pending.prove',
  ({ param, now }) => sql`
    update pending_authentication
    set amr = amr || ${param('methods')}::text[] || array['mfa'], failures = 0, expires_at = ${now} + ${LIFETIME},
      proof_hash = null, proof_amr = null, proof_expires_at = null
    where id = ${param('id')} and closed_at is null and expires_at > ${now}
    returning 1`,
);

/** Leaves time to write down recovery codes: the attempt lasts as long as the proof. */
export const ISSUE_PROOF = new Statement<{ id: string; proof: string; amr: string; methods: string[] }, unknown>(
  'pending.issue-proof',
  ({ param, now }) => sql`
    update pending_authentication
    set proof_hash = ${param('proof')}, proof_amr = ${param('amr')}, proof_methods = ${param('methods')}::text[], proof_expires_at = ${now} + ${LIFETIME},
      expires_at = ${now} + ${LIFETIME}, failures = 0
    where id = ${param('id')} and closed_at is null and expires_at > ${now}
    returning 1`,
);

/** A gateway of version 0.1 writes `proof_amr` only; methods of another proof do not count. */
export const CONSUME_PROOF = new Statement<{ id: string; proof: string }, unknown>(
  'pending.consume-proof',
  ({ param, now }) => sql`
    update pending_authentication
    set amr = amr || case when proof_methods[1] = proof_hash then proof_methods[2:] else array[proof_amr] end || array['mfa'],
      proof_hash = null, proof_amr = null, proof_expires_at = null
    where id = ${param('id')} and proof_hash = ${param('proof')} and proof_expires_at > ${now}
      and closed_at is null and expires_at > ${now}
    returning 1`,
);
