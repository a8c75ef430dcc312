/**
 * Names under which a source knows the person of an account: username, e-mail address, userPrincipalName. Failed attempts at
 * all of them are counted for the username; each on its own, a person would have as many guesses more as names (NIST SP
 * 800-63B-4, section 3.2.2). They are used for nothing else: a name may be somebody else's by now.
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
import { usernameKey } from '../account/username.js';
import { nameKey } from '../limits/attempt-keys.js';

const MOST_NAMES = 20;

/** A username comes first. A name that several people have belongs to none of them. */
const COUNTED = new Statement<{ username: string | null; name: string }, { username: string | null }>(
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
    @Inject(CONFIG) private readonly config: Pick<Config, 'sources' | 'providers'>,
  ) {}

  /** The same work for every name. @returns the username for which attempts at the name are counted; null: the name itself */
  async countedName(typed: string): Promise<string | null> {
    if (!this.sources.haveSeveralNames) return null;
    const [row] = await this.database.run(COUNTED, { username: usernameKey(typed), name: nameKey(typed) });
    return row?.username ?? null;
  }

  /** @returns the earlier source to which the name belongs @throws SourceUnavailable */
  ownerBefore(source: string, name: string): Promise<string | null> {
    return this.sources.knownBefore(source, name);
  }

  /**
   * Only those that lead to this person: a right password would forgive the guesses at whoever else has the name, at an earlier
   * source or here, where people may write the address of somebody else.
   * @returns keys for `write` @throws SourceUnavailable
   */
  async findKeys(source: string, { names = [], subject }: SourcePerson): Promise<string[]> {
    const keys = new Set<string>();
    for (const name of names.slice(0, MOST_NAMES)) {
      const isOwn = await this.sources.isNameOf({ source, subject }, name);
      if (isOwn && (await this.ownerBefore(source, name)) === null) keys.add(nameKey(name));
    }
    return [...keys];
  }

  /**
   * What apps know a new account by, where the settings say so: `sub` of the others stays what it is.
   * @param source id of a source, or issuer of a provider that provisions
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
