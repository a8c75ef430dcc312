/**
 * The list of accounts, in the order of creation, a page at a time. A page starts after the place of the last account of
 * the page before, so a later page costs as much as the first, and one statement reads it. Every filter has an index
 * (`0017-account-search.ts`).
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { Database } from '../../database/database.js';
import { AccountFieldInvalid } from './account.errors.js';
import { ACCOUNT_COLUMNS, toAccount } from './account.js';
import type { Account } from './account.js';
import { emailKey } from './fields.js';
import { usernameKey } from './username.js';

export interface AccountQuery {
  /** Exactly this username, in any spelling of it. */
  username?: string;
  /** Exactly this address, in any spelling of it. */
  email?: string;
  /** Words of username, display name and address, or their beginnings; all must occur. */
  search?: string;
  status?: Account['status'];
  /** Exactly this group. */
  groupName?: string;
  /** `nextCursor` of the previous page. */
  cursor?: string;
  /** At most 200; default 50. */
  limit?: number;
}

const PAGE_SIZE = 50;
const LARGEST_PAGE = 200;
const MOST_WORDS = 10;
/** What separates words in the index: ASCII marks, spaces, control characters. */
const SEPARATORS = /[\s\p{Cc}!-/:-@[-`{-~]+/u;

@Injectable()
export class AccountList {
  constructor(private readonly database: Database) {}

  /** @throws AccountFieldInvalid for an invalid cursor, or a search without a word */
  async page(query: AccountQuery): Promise<{ accounts: Account[]; nextCursor?: string }> {
    const { limit = PAGE_SIZE } = query;
    const size = Math.min(Math.max(Math.trunc(limit) || PAGE_SIZE, 1), LARGEST_PAGE);
    const rows = await this.select(query)
      .limit(size + 1)
      .execute();
    const page = rows.slice(0, size);
    const last = page.at(-1);
    return { accounts: page.map(toAccount), ...(rows.length > size && last ? { nextCursor: String(last.seq) } : {}) };
  }

  /** The statement of a page, without its size. */
  select({ username, email, search, status, groupName, cursor }: AccountQuery) {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
      throw new AccountFieldInvalid('cursor', 'format', 'cursor is none that a list gave.');
    }
    return (
      this.database.db
        .selectFrom('account')
        .select([...ACCOUNT_COLUMNS, 'seq'])
        // A malformed name is compared with an empty key, which no account has.
        .$if(username !== undefined, (select) => select.where('username_key', '=', usernameKey(username ?? '') ?? ''))
        .$if(email !== undefined, (select) => select.where('email_key', '=', emailKey(withoutNul(email ?? ''))))
        .$if(search !== undefined, (select) => select.where(hasWords(search ?? '')))
        // As constants, so that the planner sees that the partial index fits.
        .$if(status !== undefined, (select) => select.where('status', '=', sql.lit(status ?? 'active')))
        .$if(groupName !== undefined, (select) => select.where(inGroup(groupName ?? '')))
        .$if(cursor !== undefined, (select) => select.where('seq', '>', Number(cursor)))
        .orderBy('seq')
    );
  }
}

/** The condition of the index `account_words`: words and the beginnings of words. */
function hasWords(search: string): RawBuilder<boolean> {
  const words = search.split(SEPARATORS).filter((word) => word !== '');
  if (words.length === 0) throw new AccountFieldInvalid('search', 'format', 'search has no word with letters or digits.');
  if (words.length > MOST_WORDS) {
    throw new AccountFieldInvalid('search', 'too-long', `search has more than ${MOST_WORDS} words.`);
  }
  // No word contains a quote or a backslash, which are separators.
  const wanted = words.map((word) => `'${word}':*`).join(' & ');
  return sql<boolean>`account_words(username, display_name, email) @@ to_tsquery('simple', ${wanted})`;
}

function inGroup(name: string): RawBuilder<boolean> {
  return sql<boolean>`group_name collate "C" = ${withoutNul(name)}`;
}

/** Search text comes from requests; PostgreSQL rejects NUL. */
function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '');
}
