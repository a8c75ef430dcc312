/**
 * The names that a source has for the person of an account: username, e-mail address, userPrincipalName. Failed attempts with each
 * of them count against the username; otherwise every further name would allow further guesses (NIST SP 800-63B-4, section 3.2.2).
 * The names are used for nothing else, because a name may now belong to somebody else. Also decides whether a person of a provider
 * may have their username there, and builds the subject of a new account.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import type { SourcePerson } from '../../sources/user-source.port.js';
import { UserSources } from '../../sources/user-sources.js';
import { toUsernameKey } from '../account/username.js';
import { toNameKey } from '../limits/attempt-keys.js';

const MAX_NAMES = 20;

/** A username takes precedence. A name that several people have counts for none of them. */
const FIND_COUNTED = new Statement<{ username: string | null; name: string }, { username: string | null }>(
  'source-name.counted',
  ({ param }) => sql`
    select coalesce(
      (select username from account where username_key = ${param('username')}::text),
      (select (array_agg(a.username))[1] from source_name n join account a on a.id = n.account_id
        where n.name_key = ${param('name')} having count(*) = 1)) as username`,
);

@Injectable()
export class SourceNames {
  constructor(
    private readonly database: Database,
    private readonly sources: UserSources,
    @Inject(CONFIG) private readonly config: Pick<Config, 'sources' | 'providers' | 'registration'>,
  ) {}

  /**
   * Does the same work for every name. @returns the username against which failures count; null if they count against the typed
   * name
   */
  async findCountedName(typedName: string): Promise<string | null> {
    if (!this.sources.haveSeveralNames) return null;
    const [row] = await this.database.run(FIND_COUNTED, { username: toUsernameKey(typedName), name: toNameKey(typedName) });
    return row?.username ?? null;
  }

  /** @returns the earlier source that has the name; null if there is none @throws SourceUnavailable */
  findEarlierOwner(source: string, name: string): Promise<string | null> {
    return this.sources.findEarlierSource(source, name);
  }

  /**
   * Returns only names that lead to this person. Otherwise a right password of this person would clear the failures of somebody else
   * who has the name at an earlier source, or at this source, where people may enter an address that is not theirs.
   * @returns keys for `write` @throws SourceUnavailable
   */
  async findKeys(source: string, { names = [], subject }: SourcePerson): Promise<string[]> {
    const keys = new Set<string>();
    // PostgreSQL cannot store NUL.
    for (const name of names.slice(0, MAX_NAMES).filter((one) => !one.includes('\u0000'))) {
      const isOwn = await this.sources.hasName({ source, subject }, name);
      if (isOwn && (await this.findEarlierOwner(source, name)) === null) keys.add(toNameKey(name));
    }
    return [...keys];
  }

  /**
   * Whether a person of a provider may have this username. At many providers, people choose their username. A person who chose the address
   * of another person would keep that person from signing up or accepting an invitation, which require a proof of the address.
   */
  allowsUsername({ username, emailVerified }: SourcePerson): boolean {
    const { signUp, invitationFields } = this.config.registration;
    if ((!signUp && !invitationFields) || emailVerified) return true;
    // The key is compared, because a full-width `＠` in the name would be stored as `@`.
    return toUsernameKey(username)?.includes('@') !== true;
  }

  /**
   * Builds the subject of a new account if the source has `"sub": "source"`. Existing accounts keep their subject.
   * @param source id of a source, or issuer of a provider that provisions accounts
   */
  toSubject(source: string, { subject }: SourcePerson): { subject?: string } {
    const { sources, providers } = this.config;
    const settings =
      sources.find(({ id }) => id === source) ??
      providers.find(({ issuer, provision }) => issuer === source && provision)?.provision;
    return settings?.subjectPrefix === undefined ? {} : { subject: `${settings.subjectPrefix}${subject}` };
  }

  /** Replaces the names of an account. */
  async write(accountId: string, keys: readonly string[], trx: Transaction<Schema>): Promise<void> {
    await trx.deleteFrom('source_name').where('account_id', '=', accountId).execute();
    const rows = keys.map((name_key) => ({ name_key, account_id: accountId }));
    if (rows.length > 0) await trx.insertInto('source_name').values(rows).execute();
  }
}
