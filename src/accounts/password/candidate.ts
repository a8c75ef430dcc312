/** The account that a typed name belongs to, with everything that a password is checked against. */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { fingerprint, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { accountColumns } from '../account/account.js';
import { PASSWORD_VERSION } from '../account/password-version.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import type { LinkedCandidate } from '../account/linked-source.js';
import { usernameKey } from '../account/username.js';
import { accountNamed, toTypedEmailKey } from '../account/verified-addresses.js';
import { nameKey } from '../limits/attempt-keys.js';
import { FRESH_DEVICE } from '../sessions/known-devices.js';

/** What a typed name finds. */
export interface Lookup {
  /** Null if no account has the name. */
  candidate: Candidate | null;
  /** By the time of the database. */
  lookedUpAt: Date;
  /**
   * The hash of some account, always the same one for a name, or null if there is none. Verifying it takes as long as a name with a
   * password would take: hashes from before `PASSWORD_HASH` was changed, and imported ones, take another time.
   */
  decoy: string | null;
}

export interface Candidate extends LinkedCandidate {
  hash: string | null;
  password_version: string | null;
  /** The browser is known to this account. */
  device_known: boolean;
  /** It is, and need not be remembered again. */
  device_fresh: boolean;
  /** It is known to this account or another one. */
  device_owned: boolean;
}

type Nothing = { [Name in keyof Candidate]: null };

const FIND = new Statement<
  { key: string | null; email: string | null; device: string | null; decoy: string },
  (Candidate | Nothing) & { at: Date; decoy: string | null }
>(
  'sign-in.candidate',
  ({ param, now }) => sql`
    select candidate.*, ${now} as at,
      (select q.hash from password_credential q where q.account_id >= ${param('decoy')}::uuid order by q.account_id limit 1) as decoy
    from (select) nobody left join (
      select ${accountColumns('a')}, p.hash, ${PASSWORD_VERSION} as password_version,
        coalesce(d.expires_at > ${now}, false) as device_known,
        coalesce(d.expires_at > ${now} + ${FRESH_DEVICE}, false) as device_fresh,
        exists (select from known_device k where k.device_hash = ${param('device')}::text and k.expires_at > ${now}) as device_owned,
        s.source, s.subject as source_subject, s.profile as source_profile, ${SECURITY_STAMP} as security_stamp,
        coalesce(a.credentials_frozen_until > ${now}, false) as frozen
      from account a
        left join password_credential p on p.account_id = a.id
        left join source_account s on s.account_id = a.id
        left join known_device d on d.account_id = a.id and d.device_hash = ${param('device')}::text
      where a.id = ${accountNamed({ key: param('key'), email: param('email') })}
    ) candidate on true`,
);

@Injectable()
export class Candidates {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
  ) {}

  /**
   * One statement for every name, whether or not an account has it.
   * @param device secret of the browser; null if it brings none
   */
  async find({ username, device }: { username: string; device: string | null }): Promise<Lookup> {
    const email = this.config.login.byEmail ? toTypedEmailKey(username) : null;
    const decoy = toUuid(this.keys.mac('limits', `decoy\n${nameKey(username)}`));
    const values = { key: usernameKey(username), email, device: device === null ? null : fingerprint(device), decoy };
    const [row] = await this.database.run(FIND, values);
    if (!row) throw new Error('A look-up always answers.');
    return { candidate: row.id === null ? null : row, lookedUpAt: row.at, decoy: row.decoy };
  }
}

/** Ids of accounts are random, so each account is as likely as any other to follow this one. @param mac base64url, at least 16 bytes */
function toUuid(mac: string): string {
  return Buffer.from(mac, 'base64url').toString('hex', 0, 16);
}
