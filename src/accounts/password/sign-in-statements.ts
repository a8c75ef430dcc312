/** SQL of a sign-in with a password: one statement before the hash is computed, and one after it was right. */
import { sql, type RawBuilder } from 'kysely';
import { Statement, type Placeholders } from '../../database/statement.js';
import { accountNamed } from '../account/verified-addresses.js';
import { accountColumns } from '../account/account.js';
import { factorCounts, hasSecondFactor, type FactorCounts } from '../account/factor-counts.js';
import { PASSWORD_VERSION } from '../account/password-version.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { insertEvent } from '../audit/insert-event.js';
import {
  releaseCountersSql,
  reservation,
  type ReserveRow,
  type ReserveValues,
  type SucceedValues,
} from '../limits/attempt-statements.js';
import { beginSessionSql, type BeginValues, type BegunRow } from '../sessions/browser-session-statements.js';
import { findRecordSql, type OwnerValues, type RecordRow } from '../sessions/challenge-record-statements.js';
import { FRESH_DEVICE } from '../sessions/known-devices.js';
import { trustedSql, type TrustedValues } from '../sessions/trusted-browsers.js';
import type { LinkedCandidate } from '../account/source-of.js';

export interface Candidate extends LinkedCandidate {
  hash: string | null;
  password_version: string | null;
  /** To this account. */
  device_known: boolean;
  device_fresh: boolean;
  /** To this account or another one. */
  device_owned: boolean;
}

/** A look at the account that reserves no attempt. */
export const NOTHING_RESERVED = {
  address: '',
  subject: null,
  account: null,
  known: false,
  running: 0,
  addressFailures: 0,
  free: 0,
  stopAt: 0,
} satisfies ReserveValues;

/** Without a challenge (null) the password is checked for its own sake. */
export type LookUpValues = { [Name in keyof OwnerValues]: string | null } & {
  /** Keys of the name, of the name as a verified address where that counts, and of the device. */
  key: string | null;
  email: string | null;
  device: string | null;
  /** The OAuth server was asked for the request, so the record need not keep it. */
  asked: boolean;
};

export const NO_CHALLENGE = { kind: null, challenge: null, browser: null, asked: false };

type Nothing<Row> = { [Name in keyof Row]: null };
type FoundAccount = Candidate & { account: string };

export type LookUpRow = ReserveRow & { withdrawn: boolean; looked_up_at: Date } & (RecordRow | Nothing<RecordRow>) &
  (FoundAccount | Nothing<FoundAccount>);

/**
 * Finds the account, and reserves an attempt if the challenge is open in this browser. The same for every name: what is
 * not found costs a row less.
 */
export const LOOK_UP = new Statement<LookUpValues & ReserveValues, LookUpRow>('sign-in.look-up', (placeholders) => {
  const { param, now } = placeholders;
  const [kind, challenge, browser] = [param('kind'), param('challenge'), param('browser')];
  return sql`
    with record as (${findRecordSql({ kind, challenge, browser, now })}), open as (
      select ${challenge}::text is null or exists (
        select from record where own and not finished and (request is not null or ${param('asked')}::boolean)) as yes
    ), candidate as (
      select ${accountColumns('a')}, a.id as account, p.hash,
        ${PASSWORD_VERSION} as password_version, coalesce(d.expires_at > ${now}, false) as device_known,
        coalesce(d.expires_at > ${now} + ${FRESH_DEVICE}, false) as device_fresh,
        exists (select from known_device k where k.device_hash = ${param('device')}::text and k.expires_at > ${now}) as device_owned,
        s.source, s.subject as source_subject, s.profile as source_profile, ${SECURITY_STAMP} as security_stamp,
        coalesce(a.credentials_frozen_until > ${now}, false) as frozen
      from account a
        left join password_credential p on p.account_id = a.id
        left join source_account s on s.account_id = a.id
        left join known_device d on d.account_id = a.id and d.device_hash = ${param('device')}::text
      where a.id = ${accountNamed({ key: param('key'), email: param('email') })}
    ), ${reservation(placeholders, sql`(select yes from open)`)}
    select reserved.*, record.*, candidate.*, not open.yes as withdrawn, ${now} as looked_up_at
    from reserved cross join open left join record on true left join candidate on true`;
});

/**
 * Account and version are those of the proof, also for the session; of a source, who the person is there. `trusted`: hashes of
 * secrets that may stand for a second factor.
 */
export type SettleValues = SucceedValues &
  BeginValues &
  TrustedValues & { account: string; source: string | null; person: string | null };

/** A statement has all its values; without a session these are not used. */
export const NO_SESSION = {
  browser: '',
  acr: '',
  amr: [],
  remembered: false,
  lifetime: 0,
  previous: null,
  kept: 0,
  upstream: null,
  provider: null,
  providerAuthTime: null,
  client: null,
  seenAddress: null,
  agent: null,
} satisfies Omit<BeginValues, 'account' | 'version' | 'securityStamp'>;

export type SettledRow = { active: boolean; factors: FactorCounts; is_trusted: boolean } & (BegunRow | Nothing<BegunRow>);

/**
 * The password was right: releases the reservation, counts the factors, and begins the session (`upstream`), if there is one and
 * the account has no factor or trusts the browser. No row if the password was replaced meanwhile. The account is locked before
 * its password and its counters, as by everything that changes them. Unlike status and password, the factors are those of the
 * statement's start: one that is set up while it waits for the locks counts from the next decision on, as if it had been set up
 * after this one.
 */
export const SETTLE = settling('sign-in.settle', ({ param }) => {
  const owner = sql`select a.id, a.status = 'active' as active from account a where a.id = ${param('account')} for share`;
  const proof = sql`
      select p.account_id from password_credential p
      where p.account_id = ${param('account')} and ${PASSWORD_VERSION} = ${param('version')}::text
        and exists (select from owner)
      for share`;
  return { owner, proof };
});

/** The same for a password that a source verified. No row if the access of the account ended meanwhile. */
export const SETTLE_OF_SOURCE = settling('sign-in.settle-of-source', ({ param }) => {
  const owner = sql`
      select a.id, a.status = 'active' as active from account a
      where a.id = ${param('account')} and ${SECURITY_STAMP} = ${param('securityStamp')}::text for share`;
  const proof = sql`
      select s.account_id from source_account s
      where s.account_id = ${param('account')} and s.source = ${param('source')}::text and s.subject = ${param('person')}::text
        and exists (select from owner)
      for share`;
  return { owner, proof };
});

function settling(
  name: string,
  proving: (placeholders: Placeholders<SettleValues>) => Record<'owner' | 'proof', RawBuilder<unknown>>,
): Statement<SettleValues, SettledRow> {
  return new Statement<SettleValues, SettledRow>(name, (placeholders) => {
    const { param, now } = placeholders;
    const { owner, proof } = proving(placeholders);
    return sql`
    with owner as (${owner}), proof as (${proof}), proven as (
      select owner.id, owner.active from owner join proof on proof.account_id = owner.id
    ), ${releaseCountersSql(placeholders, sql`proven`)}, audited as (
      ${insertEvent(
        {
          at: now,
          kind: sql`(case when active then 'password.ok' else 'password.refused' end)`,
          account: sql`id`,
          address: param('address'),
          request: param('request'),
        },
        sql`proven`,
      )}
      returning seq
    ), held as (
      select ${factorCounts(param('account'))} as factors, ${hasSecondFactor(param('account'))} as asks
    ), ${trustedSql(placeholders, sql`${param('upstream')}::text is not null and exists (select from proven where active)`)}, begun as (
      ${beginSessionSql(
        placeholders,
        sql`
        select proven.id, held.asks as trusted from proven, held
        where proven.active and ${param('upstream')}::text is not null
          and (not held.asks or exists (select from trusted))`,
      )}
    )
    select proven.active, held.factors, exists (select from trusted) as is_trusted, begun.*
    from proven cross join held left join begun on true`;
  });
}
