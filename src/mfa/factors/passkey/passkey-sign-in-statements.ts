/** SQL of a sign-in with a passkey: one statement before the signature is verified, and one after it was right. */
import { sql, type RawBuilder } from 'kysely';
import { accountColumns } from '../../../accounts/account/account.js';
import { SECURITY_STAMP, stampedOwner } from '../../../accounts/account/security-stamp.js';
import { eventColumns, insertEvent, type EventValues } from '../../../accounts/audit/insert-event.js';
import type { AddressRow } from '../../../accounts/limits/address-failures.js';
import { addressCounterSql } from '../../../accounts/limits/attempt-statements.js';
import type { LinkedCandidate } from '../../../accounts/account/source-of.js';
import { beginSessionSql, type BeginValues, type BegunRow } from '../../../accounts/sessions/browser-session-statements.js';
import {
  REPEAT_WINDOW,
  findRecordSql,
  type OwnerValues,
  type RecordRow,
} from '../../../accounts/sessions/challenge-record-statements.js';
import { FRESH_DEVICE } from '../../../accounts/sessions/known-devices.js';
import { Statement, type Placeholders } from '../../../database/statement.js';

export interface PasskeyCandidate extends LinkedCandidate {
  passkey: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  /** When it was used last, in seconds as the database writes them. */
  last_use: string | null;
  backup_eligible: boolean;
  handle: string;
  device_known: boolean;
  device_fresh: boolean;
  device_owned: boolean;
}

const LAST_USE = sql<string | null>`extract(epoch from k.last_used_at)::text`;

type Nothing<Row> = { [Name in keyof Row]: null };

export type PasskeyLookUpRow = AddressRow & { looked_up_at: Date } & (RecordRow | Nothing<RecordRow>) &
  (PasskeyCandidate | Nothing<PasskeyCandidate>);

export type PasskeyLookUpValues = OwnerValues & {
  credential: string;
  /** Its fingerprint. */
  device: string | null;
  /** Key of the counter. */
  address: string;
};

export const LOOK_UP = new Statement<PasskeyLookUpValues, PasskeyLookUpRow>('passkey.look-up', ({ param, now }) => {
  const [kind, challenge, browser] = [param('kind'), param('challenge'), param('browser')];
  return sql`
    with record as (${findRecordSql({ kind, challenge, browser, now })}), candidate as (
      select ${accountColumns('a')}, k.id as passkey, k.credential_id, k.public_key, k.counter, ${LAST_USE} as last_use, k.backup_eligible, u.handle,
        coalesce(d.expires_at > ${now}, false) as device_known,
        coalesce(d.expires_at > ${now} + ${FRESH_DEVICE}, false) as device_fresh,
        exists (select from known_device o where o.device_hash = ${param('device')}::text and o.expires_at > ${now}) as device_owned,
        s.source, s.subject as source_subject, s.profile as source_profile, ${SECURITY_STAMP} as security_stamp,
        coalesce(a.credentials_frozen_until > ${now}, false) as frozen
      from passkey k
        join account a on a.id = k.account_id
        join passkey_user u on u.account_id = a.id
        left join source_account s on s.account_id = a.id
        left join known_device d on d.account_id = a.id and d.device_hash = ${param('device')}::text
      where k.credential_id = ${param('credential')}
    ), ${addressCounterSql({ address: param('address'), now })}
    select record.*, candidate.*, address_counter.failures as address_failures,
      extract(epoch from address_counter.blocked_until - ${now})::double precision as address_wait, ${now} as looked_up_at
    from address_counter left join record on true left join candidate on true`;
});

export type PasskeySettleValues = BeginValues &
  EventValues & {
    account: string;
    passkey: string;
    counter: number;
    /** As it was looked up. */
    lastUse: string | null;
    /** The first try found that the passkey was used since. */
    isSecondTry: boolean;
    backedUp: boolean;
  };

/** The same form, at another gateway, has begun the session with this counter: a double click gets the answer of the first. */
const beganAlready = ({ param, now }: Placeholders<PasskeySettleValues>): RawBuilder<boolean> => sql<boolean>`
      k.counter = c.counter and exists (
        select from browser_session b
        where b.account_id = k.account_id and b.upstream_session_id = ${param('upstream')}::text and 'pop' = any(b.amr)
          and b.auth_time = k.last_used_at and b.auth_time > ${now} - ${REPEAT_WINDOW})`;

/** Without a counter the time of the last use tells whether another form, or the same one at another gateway, came first. */
const usesNoCounter = ({ param }: Placeholders<PasskeySettleValues>): RawBuilder<boolean> => sql<boolean>`
      k.counter = 0 and c.counter = 0
        and (${param('isSecondTry')}::boolean or ${LAST_USE} is not distinct from ${param('lastUse')}::text)`;

/**
 * The signature was right: takes the counter and begins the session (`upstream`), if there is one. No row if the account was
 * disabled or its access ended meanwhile, or if the passkey was removed or another signature came first.
 * A repetition writes no event.
 */
export const SETTLE = new Statement<
  PasskeySettleValues,
  { used: string; is_repetition: boolean } & (BegunRow | Nothing<BegunRow>)
>('passkey.settle', (placeholders) => {
  const { param, now } = placeholders;
  return sql`
    with owner as (
      ${stampedOwner({ account: param('account'), securityStamp: param('securityStamp') })}
    ), repetition as (
      select from passkey k, (select ${param('counter')}::bigint as counter) c
      where k.id = ${param('passkey')} and ${beganAlready(placeholders)}
    ), spent as (
      update passkey k set counter = c.counter, backed_up = ${param('backedUp')}::boolean, last_used_at = ${now}
      from owner, (select ${param('counter')}::bigint as counter) c
      where k.account_id = owner.id and k.id = ${param('passkey')}
        and (k.counter < c.counter or ${usesNoCounter(placeholders)} or ${beganAlready(placeholders)})
      returning k.id
    ), audited as (
      ${insertEvent(eventColumns({ param, now }), sql`spent where not exists (select from repetition)`)}
      returning seq
    ), begun as (
      ${beginSessionSql(
        placeholders,
        sql`select owner.id, false as trusted from owner where ${param('upstream')}::text is not null and exists (select from spent)`,
      )}
    )
    select spent.id as used, exists (select from repetition) as is_repetition, begun.* from spent left join begun on true`;
});
