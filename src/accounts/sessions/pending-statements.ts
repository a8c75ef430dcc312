/** SQL of the pending authentications. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { interval, Statement } from '../../database/statement.js';
import { provenPassword } from '../account/password-version.js';
import { stampedOwner } from '../account/security-stamp.js';

const LIFETIME = sql.raw(`interval '10 minutes'`);

export interface PendingRow {
  id: string;
  account_id: string;
  amr: string[];
  context: string;
  closed: boolean;
  enrolment_id: string | null;
  /** Sealed: see `challenge_record`. */
  request: string | null;
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

/** Writes no row if the account or what was proven has changed since. */
function inserting(name: string, lifetime: RawBuilder<unknown>): Statement<NewRow, { id: string }> {
  return new Statement(
    name,
    ({ param, now }) => sql`
      with owner as (${stampedOwner({ account: param('account'), securityStamp: param('securityStamp') })}),
        password as (${provenPassword({ account: param('account'), version: param('version') })})
      insert into pending_authentication (challenge_hash, browser_hash, account_id, context, amr, expires_at)
      select ${param('challenge')}::text, ${param('browser')}::text, id, ${param('context')}::text, ${param('amr')}::text[], ${now} + ${lifetime}
      from owner where ${param('version')}::text is null or exists (select from password)
      returning id`,
  );
}

export const BEGIN = inserting('pending.begin', LIFETIME);

/** For a proof that waits for its request to start again (`carried-proofs.ts`). */
export const CARRY = inserting('carried.keep', sql.raw(`interval '60 seconds'`));

/** Runs while the account is locked; a later password or freeze ends the pending sign-in. */
export const OWN_PROOF = new Statement<{ account: string }, unknown>(
  'pending.own-proof',
  ({ param, now }) => sql`
    select 1 from account a where a.id = ${param('account')}
      and (a.credentials_frozen_until > ${now} or exists (select from password_credential p where p.account_id = a.id))`,
);

const COLUMNS = sql.raw(`p.id, p.account_id, p.amr, p.context, p.closed_at is not null as closed,
  (select m.id from manage_session m where m.pending_id = p.id and m.scope = 'enrol' and m.ended_at is null
   order by m.created_at desc limit 1) as enrolment_id,
  (select r.request from challenge_record r where r.challenge_hash = p.challenge_hash and r.kind = 'login'
   and r.browser_hash = p.browser_hash and r.finished_at is null) as request`);

export const FIND = new Statement<{ challenge: string; browser: string }, PendingRow>(
  'pending.find',
  ({ param, now }) => sql`
    select ${COLUMNS} from pending_authentication p join account a on a.id = p.account_id and a.status = 'active'
    where p.challenge_hash = ${param('challenge')} and p.browser_hash = ${param('browser')} and p.expires_at > ${now}`,
);

export const FIND_BY_ID = new Statement<{ id: string; browser: string }, PendingRow>(
  'pending.find-by-id',
  ({ param, now }) => sql`
    select ${COLUMNS} from pending_authentication p join account a on a.id = p.account_id and a.status = 'active'
    where p.id = ${param('id')} and p.browser_hash = ${param('browser')} and p.expires_at > ${now}`,
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
