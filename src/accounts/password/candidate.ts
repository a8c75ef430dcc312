/** Finds the account to which a typed name belongs, with everything that is needed to check a password. */
import { sql } from 'kysely';
import type { Config } from '../../config/config.js';
import { fingerprint } from '../../config/keys.js';
import type { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { accountColumns } from '../account/account.js';
import { PASSWORD_VERSION } from '../account/password-version.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import type { LinkedCandidate } from '../account/linked-source.js';
import { toUsernameKey } from '../account/username.js';
import { findAccountByNameSql, toTypedEmailKey } from '../account/verified-addresses.js';
import { RENEWAL_THRESHOLD } from '../sessions/known-devices.js';

/** The result of looking up a typed name. */
export interface Lookup {
  /** Null if no account has the name. */
  candidate: Candidate | null;
  /** Time of the database. */
  lookedUpAt: Date;
}

export interface Candidate extends LinkedCandidate {
  hash: string | null;
  password_version: string | null;
  /** Whether the browser is a known device of this account. */
  device_known: boolean;
  /** Whether the browser is a known device of this account and does not have to be stored again. */
  device_stored: boolean;
  /** Whether the browser is a known device of this account or of another account. */
  device_owned: boolean;
  /** Addresses from which the account signed in within the last day, newest first. Sessions that were deleted are not included. */
  recent_addresses: string[];
}

/** Bounds the work for an account that signs in again and again. */
const MAX_ADDRESSES = 20;

type NoCandidate = { [Name in keyof Candidate]: null };

const FIND = new Statement<
  { key: string | null; email: string | null; device: string | null },
  (Candidate | NoCandidate) & { looked_up_at: Date }
>(
  'sign-in.candidate',
  ({ param, now }) => sql`
    select candidate.*, ${now} as looked_up_at from (select) nobody left join (
      select ${accountColumns('a')}, p.hash, ${PASSWORD_VERSION} as password_version,
        coalesce(d.expires_at > ${now}, false) as device_known,
        coalesce(d.expires_at > ${now} + ${RENEWAL_THRESHOLD}, false) as device_stored,
        exists (select from known_device k where k.device_hash = ${param('device')}::text and k.expires_at > ${now}) as device_owned,
        array(
          select b.address from browser_session b
          where b.account_id = a.id and b.auth_time > ${now} - interval '1 day' and b.address is not null
          order by b.auth_time desc limit ${sql.lit(MAX_ADDRESSES)}) as recent_addresses,
        s.source, s.subject as source_subject, s.profile as source_profile, ${SECURITY_STAMP} as security_stamp,
        coalesce(a.credentials_frozen_until > ${now}, false) as frozen
      from account a
        left join password_credential p on p.account_id = a.id
        left join source_account s on s.account_id = a.id
        left join known_device d on d.account_id = a.id and d.device_hash = ${param('device')}::text
      where a.id = ${findAccountByNameSql({ key: param('key'), email: param('email') })}
    ) candidate on true`,
);

/**
 * Runs the same statement for every name, whether or not an account has it.
 * @param device secret of the known-device cookie; null if the browser has no such cookie
 */
export async function findCandidate(
  { username, device }: { username: string; device: string | null },
  { byEmail }: Config['login'],
  database: Database,
): Promise<Lookup> {
  const email = byEmail ? toTypedEmailKey(username) : null;
  const values = { key: toUsernameKey(username), email, device: device === null ? null : fingerprint(device) };
  const [row] = await database.run(FIND, values);
  if (!row) throw new Error('The look-up of a name returned no row.');
  return { candidate: row.id === null ? null : row, lookedUpAt: row.looked_up_at };
}
