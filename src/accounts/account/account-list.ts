/**
 * Lists accounts by time of creation or of the last sign-in, one page at a time. A page starts after the last account of the previous
 * page, so a later page costs as much as the first. Every filter that can match few accounts has an index (migrations 1, 16, 28 and
 * 57). One statement reads a page; if the scan for words or a group does not fill the page, two statements read it, or up to three with
 * other filters.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../../database/database.js';
import { isCursor, toPageSize } from '../../database/row-pages.js';
import type { AccountListingTable } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AccountFieldInvalid } from './account.errors.js';
import { accountColumns, toAccount, type Account, type AccountFields } from './account.js';
import { toEmailKey } from './fields.js';
import { toUsernameKey } from './username.js';

export interface AccountQuery {
  /** The username, in any spelling. */
  username?: string;
  /** The whole e-mail address, in any spelling. */
  email?: string;
  /** Words, or beginnings of words, of the username, display name and e-mail address. All of them must occur. */
  search?: string;
  status?: Account['status'];
  /** The exact value of `groupName`. */
  groupName?: string;
  /** The exact name of a group: `groupName`, or one of the other groups. */
  group?: string;
  /**
   * The source to which the accounts belong, as stored: the id of a user source, the issuer of a provider, or `scim:` and the id of a
   * SCIM source.
   */
  source?: string;
  /** Only accounts that belong to no source or provider. */
  isLocal?: boolean;
  /** Inclusive. With this or `signedInBefore`, the accounts that signed in last come first. */
  signedInSince?: Date;
  /** Exclusive. Accounts that have never signed in are not included. */
  signedInBefore?: Date;
  hasNeverSignedIn?: boolean;
  /** Id of an account that is left out. */
  exceptId?: string;
  /** `nextCursor` of the previous page. */
  cursor?: string;
  /** At most 200. Default: 50. */
  limit?: number;
}

/** An account in a list. */
export interface ListedAccount extends Account {
  source: string | null;
  lastSignInAt: Date | null;
}

type ListedRow = AccountFields & Pick<AccountListingTable, 'source' | 'last_sign_in_at'> & { ordinal: number };

const MAX_WORDS = 10;
/**
 * Number of accounts that are scanned before the index is used. They contain enough matches for frequent words and large
 * groups, for which an index scan would read every account that matches.
 */
const SCANNED_ACCOUNTS = 2000;
/** Characters that separate words in the index: ASCII punctuation, spaces and control characters. */
const SEPARATORS = /[\s\p{Cc}!-/:-@[-`{-~]+/u;

@Injectable()
export class AccountList {
  constructor(private readonly database: Database) {}

  /** @throws AccountFieldInvalid for an invalid cursor, or a search without a word or with too many words */
  async page(query: AccountQuery): Promise<{ accounts: ListedAccount[]; nextCursor?: string }> {
    const size = toPageSize(query.limit);
    const foundRows = await this.#findRows(query, size + 1);
    const rows = foundRows.slice(0, size);
    const lastRow = rows.at(-1);
    return {
      accounts: rows.map(toListedAccount),
      ...(foundRows.length > size && lastRow ? { nextCursor: toCursor(query, lastRow) } : {}),
    };
  }

  /** @returns source and last sign-in of one account; both null if there is no such account */
  async find(accountId: string): Promise<Pick<ListedAccount, 'source' | 'lastSignInAt'>> {
    const [row] = await this.database.run(FIND, { account: accountId });
    return { source: row?.source ?? null, lastSignInAt: row?.last_sign_in_at ?? null };
  }

  /**
   * @param max maximum at which the count stops
   * @returns number of matching accounts that follow the cursor, at most `max`
   * @throws AccountFieldInvalid
   */
  async count(query: AccountQuery, max: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from (${selectMatchingSql(query, max)}) matching`.execute(this.database.db);
    return rows[0]?.count ?? 0;
  }

  async #findRows(query: AccountQuery, max: number): Promise<ListedRow[]> {
    if (query.search === undefined && query.group === undefined) return this.buildStatements(query, max).select.execute();
    const { scan, lookup } = this.buildStatements(query, max);
    const rows = await scan.execute();
    if (rows.length === max) return rows;
    return (await this.#hasScannedAll(query)) ? rows : lookup.execute();
  }

  /**
   * Whether the scan covered all accounts that follow the cursor and pass the filters other than words and groups. Without such filters the
   * accounts are not counted, and the answer is false.
   */
  async #hasScannedAll({ search: _, group: __, ...rest }: AccountQuery): Promise<boolean> {
    const { cursor: ___, limit: ____, ...filters } = rest;
    return Object.keys(filters).length > 0 && (await this.count(rest, SCANNED_ACCOUNTS)) < SCANNED_ACCOUNTS;
  }

  /**
   * `select` is for filters without words and groups. `scan` looks for words and groups in the first `SCANNED_ACCOUNTS` accounts
   * that follow the cursor and pass the other filters. `lookup` looks for them in the index. The look-up is materialised because
   * the planner would otherwise avoid the index: the planner expects every beginning of a word to be frequent, and a group without
   * members to be half as large as the smallest group.
   */
  buildStatements(query: AccountQuery, max: number) {
    const { db } = this.database;
    const { search: _, group: __, ...otherFilters } = query;
    const order = toOrder(query);
    const take = (table: RawBuilder<unknown>, where: RawBuilder<boolean>, limit: number) =>
      sql`select * from ${table} where ${where} order by ${order} limit ${limit}`;
    // This join reads `account_listing` only for the accounts of the page.
    const build = (page: RawBuilder<unknown>, prefix = sql``) => {
      const statement = sql<ListedRow>`${prefix} select ${accountColumns('p')}, p.ordinal, l.source, l.last_sign_in_at
        from (${page}) p left join account_listing l on l.account_id = p.id order by ${toOrder(query, 'l')}`;
      return {
        compile: () => statement.compile(db),
        execute: async (): Promise<ListedRow[]> => (await statement.execute(db)).rows,
      };
    };
    const accounts = selectAccountsSql(query);
    const matches = sql<boolean>`${matchAccounts(query)} and ${matchListing(query)}`;
    const scanMatches = sql<boolean>`${matchAccounts(otherFilters)} and ${matchListing(query)}`;
    const matchSql = sql`with matching as materialized (select id from account where ${matchAccounts(query)})`;
    return {
      select: build(take(accounts, matches, max)),
      scan: build(take(sql`(${take(accounts, scanMatches, SCANNED_ACCOUNTS)}) account`, matchAccounts(query), max)),
      lookup: build(take(selectAccountsSql(query, sql`array(select id from matching)`), matchListing(query), max), matchSql),
    };
  }
}

/** SQL of `id` and `ordinal` of the accounts that match. @throws AccountFieldInvalid */
export function selectMatchingSql(query: AccountQuery, max: number): RawBuilder<unknown> {
  const order = toOrder(query);
  const matches = sql`${matchAccounts(query)} and ${matchListing(query)}`;
  return sql`select id, ordinal from ${selectAccountsSql(query)} where ${matches} order by ${order} limit ${max}`;
}

const FIND = new Statement<{ account: string }, Pick<AccountListingTable, 'source' | 'last_sign_in_at'>>(
  'account-list.find',
  ({ param }) => sql`select source, last_sign_in_at from account_listing where account_id = ${param('account')}::uuid`,
);

/** Whether the accounts are in the order of their last sign-in. */
function isBySignIn({ signedInSince, signedInBefore }: AccountQuery): boolean {
  return signedInSince !== undefined || signedInBefore !== undefined;
}

/**
 * The order of the list. A column that has the same value in all listed accounts comes first, because PostgreSQL would otherwise not
 * recognise that an index on this column has the required order.
 */
function toOrder(query: AccountQuery, table?: string): RawBuilder<unknown> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(table === undefined ? name : `${table}.${name}`);
  if (isBySignIn(query)) return sql`${column('last_sign_in_at')} desc, ordinal desc`;
  if (query.hasNeverSignedIn === true) return sql`${column('last_sign_in_at')}, ordinal`;
  return query.isLocal === true ? sql`${column('source')}, ordinal` : sql`ordinal`;
}

/**
 * The accounts, with source and last sign-in if a filter needs them.
 * @param ids SQL of an array with the ids that an index returned. The planner expects an array to be short and looks up each row. For a
 *   table of ids, the planner would expect either many rows and read all accounts, or few rows and compare every pair.
 */
function selectAccountsSql(query: AccountQuery, ids?: RawBuilder<string[]>): RawBuilder<unknown> {
  const { source, isLocal = false, hasNeverSignedIn = false } = query;
  const isByListing = source !== undefined || isLocal || hasNeverSignedIn || isBySignIn(query);
  const isFound = (id: RawBuilder<string>) => (ids === undefined ? sql`true` : sql`${id} = any(${ids})`);
  return isByListing
    ? sql`(select a.*, l.source, l.last_sign_in_at, l.account_seq as ordinal
        from account a join account_listing l on l.account_id = a.id where ${isFound(sql`l.account_id`)}) account`
    : sql`(select a.*, a.seq as ordinal from account a where ${isFound(sql`a.id`)}) account`;
}

function toListedAccount(row: ListedRow): ListedAccount {
  return { ...toAccount(row), source: row.source, lastSignInAt: row.last_sign_in_at };
}

function toCursor(query: AccountQuery, { ordinal, last_sign_in_at: lastSignInAt }: ListedRow): string {
  return isBySignIn(query) && lastSignInAt !== null ? `${lastSignInAt.getTime()}-${ordinal}` : String(ordinal);
}

/** Conditions on the account itself. @throws AccountFieldInvalid */
function matchAccounts({ username, email, search, status, groupName, group, exceptId }: AccountQuery): RawBuilder<boolean> {
  return joinConditions([
    // A malformed name is compared with an empty key, which no account has.
    username === undefined ? null : sql<boolean>`username_key = ${toUsernameKey(username) ?? ''}`,
    email === undefined ? null : sql<boolean>`email_key = ${toEmailKey(removeNul(email))}`,
    search === undefined ? null : matchWords(search),
    // The status is a constant, so that the planner sees that the partial index fits.
    status === undefined ? null : sql<boolean>`status = ${sql.lit(status)}`,
    groupName === undefined ? null : sql<boolean>`group_name collate "C" = ${removeNul(groupName)}`,
    group === undefined ? null : matchGroup(removeNul(group)),
    exceptId === undefined ? null : sql<boolean>`id <> ${exceptId}::uuid`,
  ]);
}

/** Conditions on the cursor, the source and the last sign-in. @throws AccountFieldInvalid */
function matchListing(query: AccountQuery): RawBuilder<boolean> {
  const { source, isLocal = false, signedInSince, signedInBefore, hasNeverSignedIn = false } = query;
  return joinConditions([
    matchCursor(query),
    source === undefined ? null : sql<boolean>`source = ${removeNul(source)}`,
    isLocal ? sql<boolean>`source is null` : null,
    signedInSince === undefined ? null : sql<boolean>`last_sign_in_at >= ${signedInSince}`,
    signedInBefore === undefined ? null : sql<boolean>`last_sign_in_at < ${signedInBefore}`,
    hasNeverSignedIn ? sql<boolean>`last_sign_in_at is null` : null,
  ]);
}

function joinConditions(conditions: readonly (RawBuilder<boolean> | null)[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join([sql`true`, ...conditions.filter((condition) => condition !== null)], sql` and `)})`;
}

/** Repeats the conditions of the partial indexes `account_group` and `account_groups`. */
function matchGroup(group: string): RawBuilder<boolean> {
  return sql<boolean>`((group_name is not null and group_name collate "C" = ${group})
    or (groups <> '{}' and groups @> array[${group}]::text[]))`;
}

/** @throws AccountFieldInvalid, also for a cursor from a list in the other order */
function matchCursor(query: AccountQuery): RawBuilder<boolean> | null {
  const { cursor } = query;
  if (cursor === undefined) return null;
  const [time = '', ordinal = ''] = cursor.split('-', 2);
  if (isBySignIn(query) && isCursor(time) && isCursor(ordinal))
    return sql<boolean>`(last_sign_in_at, ordinal) < (${new Date(Number(time))}::timestamptz, ${Number(ordinal)}::bigint)`;
  if (!isBySignIn(query) && isCursor(cursor)) return sql<boolean>`ordinal > ${Number(cursor)}`;
  throw new AccountFieldInvalid('cursor', 'format', 'cursor must be the next_cursor of a previous page.');
}

/** Uses the index `account_words`, which finds words by their first letters. @throws AccountFieldInvalid */
function matchWords(search: string): RawBuilder<boolean> {
  const words = search
    .normalize('NFC')
    .split(SEPARATORS)
    .filter((word) => word !== '');
  if (words.length === 0) throw new AccountFieldInvalid('search', 'format', 'search must contain a word with letters or digits.');
  if (words.length > MAX_WORDS) {
    throw new AccountFieldInvalid('search', 'too-long', `search must have at most ${MAX_WORDS} words.`);
  }
  return sql<boolean>`account_words(username, display_name, email) @@ to_tsquery('simple', ${words.map(toSpellings).join(' & ')})`;
}

/**
 * A database with the locale C puts only A to Z into lower case, so its index contains all other capital letters as they were written.
 * No word contains a quote or a backslash, because both are separators.
 */
function toSpellings(word: string): string {
  const [first = '', ...rest] = Array.from(word.toLowerCase());
  const spellings = new Set([word, word.toLowerCase(), word.toUpperCase(), first.toUpperCase() + rest.join('')]);
  return `(${[...spellings].map((spelling) => `'${spelling}':*`).join(' | ')})`;
}

/** Values of filters come from requests; PostgreSQL rejects NUL. */
function removeNul(text: string): string {
  return text.replaceAll('\u0000', '');
}
