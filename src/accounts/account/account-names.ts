/**
 * Decides which names an account may take, given the names of the other accounts. A username must not be the e-mail address of
 * another account, and a new address must not be another account's username: otherwise a password reset would reach the wrong
 * person, and `preferred_username` would name the wrong person. A username must not look like the username of another account, like
 * a username that is reserved for its former owner, or like one of `RESERVED_USERNAMES`. Where people sign in with addresses, only
 * one account can have verified an address. A username that a person chooses must also be unknown to the user sources. Existing
 * names that conflict keep working.
 */
import { domainToUnicode } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Kysely, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { foldText } from '../../contract/folded-text.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { SourceUnavailable } from '../../sources/source.errors.js';
import { UserSources } from '../../sources/user-sources.js';
import { AccountFieldInvalid, EmailTaken, UsernameTaken, type AccountError } from './account.errors.js';
import { toEmailKey } from './fields.js';
import { toSkeletons } from './look-alikes.js';
import { ReservedUsernames } from './reserved-usernames.js';

/** Names that an account takes. A name that does not change is left out, except for `ownEmailKey`. */
export interface NameClaim {
  username?: string;
  /** New address. */
  email?: string | null | undefined;
  /** Key of the address that the account has after the change. */
  ownEmailKey?: string | null | undefined;
  /** Key of the account's address, if the change verifies the address. */
  verifiedKey?: string | null | undefined;
}

export interface StoredClaim extends NameClaim {
  accountId: string;
}

type Conflict = 'verified' | 'address' | 'name' | 'look-alike' | 'held';

/** First key of the advisory locks: any number that nothing else uses. The second key is a bucket. */
const LOCK_CLASS = 0x6e616d65;
/** Bounds the number of locks that an import takes. */
const BUCKETS = 64;

@Injectable()
export class AccountNames {
  readonly #reservedUsernames: ReservedUsernames;
  readonly #byEmail: boolean;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) { accounts: { reservedUsernames }, login: { byEmail } }: Pick<Config, 'accounts' | 'login'>,
    private readonly sources: UserSources,
  ) {
    this.#byEmail = byEmail;
    this.#reservedUsernames = new ReservedUsernames(reservedUsernames);
  }

  /** Checks the rules that do not depend on other accounts. @throws AccountFieldInvalid */
  require({ username, ownEmailKey }: NameClaim): void {
    if (username === undefined) return;
    if (this.#reservedUsernames.includes(username)) {
      const message = 'This username is reserved, or looks like a reserved username (RESERVED_USERNAMES).';
      throw new AccountFieldInvalid('username', 'reserved', message);
    }
    if (username.includes('@') && toEmailKey(username) !== ownEmailKey) {
      throw new AccountFieldInvalid('username', 'format', 'A username with @ must be the e-mail address of its account.');
    }
  }

  /**
   * Checks a name that a person chooses. If a user source knew somebody else by this name, that person could no longer get an
   * account with it, and apps would confuse the two people. Queries the sources, so this method must not run in a transaction.
   * @param accountId the account that takes the name. If its password was taken over from a source, that source may know the owner
   * of the account by this name
   * @throws UsernameTaken, also while a source is unavailable
   */
  async requireUnknownToSources(username: string, accountId?: string): Promise<void> {
    if ((await this.findAtSources(username, accountId)) !== 'unknown')
      throw new UsernameTaken('A user source (USER_SOURCES) already has this username, or is not available now.');
  }

  /** Makes the same check as `requireUnknownToSources` for a name or an address, but returns the result and never throws `UsernameTaken`. */
  async findAtSources(name: string, accountId?: string): Promise<'known' | 'unknown' | 'unavailable'> {
    if (this.sources.isEmpty) return 'unknown';
    const { db } = this.database;
    const people = db.selectFrom('migrated_account').select(['source', 'subject']);
    const ownPerson = accountId === undefined ? undefined : await people.where('account_id', '=', accountId).executeTakeFirst();
    try {
      return (await this.sources.isNameTaken(name, ownPerson)) ? 'known' : 'unknown';
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      return 'unavailable';
    }
  }

  /** Whether the domain of the address is one of the `domains` of a user source. The source is not queried. */
  hasSourceDomain(email: string): boolean {
    return this.sources.hasDomain(email);
  }

  /**
   * Checks the names and stores the skeletons of the username, in the transaction that has written the account. Another transaction
   * with a conflicting name waits until this one ends.
   * @throws AccountFieldInvalid, UsernameTaken, EmailTaken
   */
  async claim(claim: StoredClaim, trx: Transaction<Schema>): Promise<void> {
    this.require(claim);
    await this.lock([claim], trx);
    const [conflict] = await this.findConflicts([claim], [claim.accountId], trx);
    if (conflict) throw conflict;
    if (claim.username !== undefined) await this.storeSkeletons([{ accountId: claim.accountId, username: claim.username }], trx);
  }

  /** Takes the locks in ascending order, so that two transactions cannot wait for each other. */
  async lock(claims: readonly NameClaim[], trx: Transaction<Schema>): Promise<void> {
    const buckets = [...new Set(claims.flatMap(toLockKeys).map(toBucket))].sort((one, other) => one - other);
    if (buckets.length === 0) return;
    await sql`select pg_advisory_xact_lock(${LOCK_CLASS}::integer, bucket) from unnest(${buckets}::integer[]) as bucket`.execute(
      trx,
    );
  }

  /**
   * @param ignoredAccounts ids of accounts that are not compared, and that may take the usernames reserved for them
   * @returns for each claim the first conflict with another account, with a username that is reserved for another or deleted
   * account, or with an earlier claim; undefined if there is none
   */
  async findConflicts(
    claims: readonly NameClaim[],
    ignoredAccounts: readonly string[],
    db: Kysely<Schema>,
  ): Promise<(AccountError | undefined)[]> {
    const rows = claims.map((claim, index) => ({
      index,
      ...toComparedKeys(this.#byEmail ? claim : { ...claim, verifiedKey: null }),
    }));
    const isOther = sql`not (a.id = any(${ignoredAccounts}::uuid[]))`;
    // PostgreSQL plans this statement each time, for the reason stated in `transfer/imports.ts`. Few usernames are addresses. Without
    // `c.address is not null`, PostgreSQL would read the whole table for each username that is not an address, if the statistics of the
    // table were outdated.
    const { rows: foundRows } = await sql<{ index: number; conflict: Conflict | null }>`
      select c.index, case
        when exists (select from account a where a.email_key = c."verifiedKey" and a.email_verified and ${isOther}) then 'verified'
        when c.address is not null and exists (select from account a where a.email_key = c.address and ${isOther}) then 'address'
        when exists (select from account a
          where a.username_key = any(array(select jsonb_array_elements_text(c.names))) and ${isOther}) then 'name'
        when exists (select from username_look l join account a on a.id = l.account_id and a.username = l.username
          where l.skeleton = any(array(select jsonb_array_elements_text(c.skeletons))) and ${isOther}) then 'look-alike'
        when exists (select from held_username_look l join held_username h on h.username_key = l.username_key
          where l.skeleton = any(array(select jsonb_array_elements_text(c.skeletons))) and h.held_until > ${this.database.now()}
            and (h.account_id = any(${ignoredAccounts}::uuid[])) is not true) then 'held'
      end as conflict
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(index integer, "verifiedKey" text, address text, names jsonb, skeletons jsonb)`.execute(
      db,
    );
    const conflicts = new Map(foundRows.map(({ index, conflict }) => [index, conflict]));
    const earlierKeys = new Set<string>();
    return rows.map((row, index) => {
      const conflict = conflicts.get(index) ?? findEarlierConflict(earlierKeys, row);
      if (conflict !== null) return ERRORS[conflict]();
      for (const key of toClaimedKeys(row, claims[index] ?? {})) earlierKeys.add(key);
      return undefined;
    });
  }

  /** Replaces the skeletons of these accounts. */
  async storeSkeletons(names: readonly { accountId: string; username: string }[], db: Kysely<Schema>): Promise<void> {
    if (names.length === 0) return;
    const ids = names.map(({ accountId }) => accountId);
    const rows = names.flatMap(({ accountId, username }) =>
      toSkeletons(username).map((skeleton) => ({ account_id: accountId, username, skeleton })),
    );
    await sql`delete from username_look where account_id = any(${ids}::uuid[])`.execute(db);
    await sql`
      insert into username_look (account_id, username, skeleton)
      select account_id, username, skeleton
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l(account_id uuid, username text, skeleton text)
      on conflict do nothing`.execute(db);
  }
}

const ERRORS: Readonly<Record<Conflict, () => AccountError>> = {
  verified: () =>
    new EmailTaken(
      'Another account has verified this e-mail address, and people can sign in with e-mail addresses (LOGIN_WITH).',
    ),
  address: () => new UsernameTaken('This username is the e-mail address of another account.'),
  name: () => new EmailTaken(),
  'look-alike': () => new UsernameTaken('This username looks like the username of another account.'),
  held: () => new UsernameTaken('This username looks like a username that is reserved for its former owner.'),
};

/** Keys that are compared with the names of other accounts. */
interface ComparedKeys {
  /** Key of the address, if the change verifies the address. */
  verifiedKey: string | null;
  /** Key of the username as an e-mail address; null if the username is not an address. */
  address: string | null;
  /** Keys of the usernames that are equal to the new address. */
  names: string[];
  skeletons: string[];
}

function toComparedKeys({ username, email, verifiedKey = null }: NameClaim): ComparedKeys {
  return {
    verifiedKey,
    address: username?.includes('@') ? toEmailKey(username) : null,
    names: email === undefined || email === null ? [] : toUsernameKeys(email),
    skeletons: username === undefined ? [] : toSkeletons(username),
  };
}

/** @returns the keys of the usernames that are equal to an address. An internationalised domain can be written in Unicode and in ASCII. */
function toUsernameKeys(email: string): string[] {
  const key = toEmailKey(email);
  const at = key.lastIndexOf('@');
  return [...new Set([email, key, `${key.slice(0, at)}@${domainToUnicode(key.slice(at + 1))}`].map(foldText))];
}

function toLockKeys(claim: NameClaim): string[] {
  const { verifiedKey, address, names, skeletons } = toComparedKeys(claim);
  return [verifiedKey, address, ...(names.length > 0 ? [toEmailKey(claim.email ?? '')] : []), ...skeletons].filter(
    (key) => key !== null,
  );
}

function toBucket(key: string): number {
  let hash = 0;
  for (const character of key) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return hash % BUCKETS;
}

function findEarlierConflict(
  earlierKeys: ReadonlySet<string>,
  { verifiedKey, address, names, skeletons }: ComparedKeys,
): Conflict | null {
  if (verifiedKey !== null && earlierKeys.has(`verified ${verifiedKey}`)) return 'verified';
  if (address !== null && earlierKeys.has(`address ${address}`)) return 'address';
  if (names.some((name) => earlierKeys.has(`name ${name}`))) return 'name';
  return skeletons.some((skeleton) => earlierKeys.has(`skeleton ${skeleton}`)) ? 'look-alike' : null;
}

function toClaimedKeys({ verifiedKey, names, skeletons }: ComparedKeys, { username, email }: NameClaim): string[] {
  return [
    ...(verifiedKey === null ? [] : [`verified ${verifiedKey}`]),
    ...(email === undefined || email === null || names.length === 0 ? [] : [`address ${toEmailKey(email)}`]),
    ...(username === undefined ? [] : [`name ${foldText(username)}`]),
    ...skeletons.map((skeleton) => `skeleton ${skeleton}`),
  ];
}
