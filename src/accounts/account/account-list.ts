/**
 * Lists accounts in the order of creation, one page at a time. A page starts after the last account of the previous page, so
 * a later page costs as much as the first. Every filter has an index (migrations 16 and 28). One statement reads a page; a
 * search for rare words or for a small group takes two statements.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../../database/database.js';
import { isCursor, toPage, pageSize } from '../../database/row-pages.js';
import { AccountFieldInvalid } from './account.errors.js';
import { ACCOUNT_COLUMNS, toAccount, type Account } from './account.js';
import { toEmailKey } from './fields.js';
import { usernameKey } from './username.js';

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
  /** `nextCursor` of the previous page. */
  cursor?: string;
  /** At most 200. Default: 50. */
  limit?: number;
}

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

  /** @throws AccountFieldInvalid for an invalid cursor, or a search without a word */
  async page(query: AccountQuery): Promise<{ accounts: Account[]; nextCursor?: string }> {
    const size = pageSize(query.limit);
    const { rows, ...next } = toPage(await this.#findRows(query, size + 1), size);
    return { accounts: rows.map(toAccount), ...next };
  }

  async #findRows(query: AccountQuery, most: number) {
    if (query.search === undefined && query.group === undefined) return this.statements(query, most).plain.execute();
    const { near, found } = this.statements(query, most);
    const rows = await near.execute();
    return rows.length === most ? rows : found.execute();
  }

  /**
   * `plain` is for filters without words and groups. `near` looks for words and groups in the accounts that follow the cursor.
   * `found` looks for them in the index. It is materialised because the planner would avoid the index: the planner expects every
   * beginning of a word to be frequent, and a group without members to be half as large as the smallest group.
   */
  statements(query: AccountQuery, most: number) {
    const { db } = this.database;
    const columns = [...ACCOUNT_COLUMNS, 'seq'] as const;
    const matches = buildConditions(query);
    const plain = db.selectFrom('account').select(columns).where(matches).orderBy('seq').limit(most);
    const next = db.selectFrom('account').selectAll().where(matchCursor(query.cursor)).orderBy('seq').limit(SCANNED_ACCOUNTS);
    const near = db.selectFrom(next.as('account')).select(columns).where(matches).orderBy('seq').limit(most);
    const found = db
      .with(
        (name) => name('found').materialized(),
        (cte) => cte.selectFrom('account').select(columns).where(matches),
      )
      .selectFrom('found')
      .selectAll()
      .orderBy('seq')
      .limit(most);
    return { plain, near, found };
  }
}

/** @throws AccountFieldInvalid */
function buildConditions({ username, email, search, status, groupName, group, cursor }: AccountQuery): RawBuilder<boolean> {
  const all = [
    matchCursor(cursor),
    // A malformed name is compared with an empty key, which no account has.
    username === undefined ? null : sql<boolean>`username_key = ${usernameKey(username) ?? ''}`,
    email === undefined ? null : sql<boolean>`email_key = ${toEmailKey(removeNul(email))}`,
    search === undefined ? null : matchWords(search),
    // The status is a constant, so that the planner sees that the partial index fits.
    status === undefined ? null : sql<boolean>`status = ${sql.lit(status)}`,
    groupName === undefined ? null : sql<boolean>`group_name collate "C" = ${removeNul(groupName)}`,
    group === undefined ? null : matchGroup(removeNul(group)),
  ];
  return sql<boolean>`(${sql.join(
    all.filter((condition) => condition !== null),
    sql` and `,
  )})`;
}

/** Repeats the conditions of the partial indexes `account_group` and `account_groups`. */
function matchGroup(group: string): RawBuilder<boolean> {
  return sql<boolean>`((group_name is not null and group_name collate "C" = ${group})
    or (groups <> '{}' and groups @> array[${group}]::text[]))`;
}

/** @throws AccountFieldInvalid */
function matchCursor(cursor: string | undefined): RawBuilder<boolean> {
  if (cursor === undefined) return sql<boolean>`true`;
  if (isCursor(cursor)) return sql<boolean>`seq > ${Number(cursor)}`;
  throw new AccountFieldInvalid('cursor', 'format', 'cursor must be the next_cursor of a previous page.');
}

/** Uses the index `account_words`, which finds words by their first letters. @throws AccountFieldInvalid */
function matchWords(search: string): RawBuilder<boolean> {
  const words = search
    .normalize('NFC')
    .split(SEPARATORS)
    .filter((word) => word !== '');
  if (words.length === 0) throw new AccountFieldInvalid('search', 'format', 'search has no word with letters or digits.');
  if (words.length > MAX_WORDS) {
    throw new AccountFieldInvalid('search', 'too-long', `search has more than ${MAX_WORDS} words.`);
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

/** Search text comes from requests; PostgreSQL rejects NUL. */
function removeNul(text: string): string {
  return text.replaceAll('\u0000', '');
}
