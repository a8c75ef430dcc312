/** Search and filters of the list of accounts, in the order of creation (`src/accounts/account/account-list.ts`); its indexes are in `0019-indexes-in-use.ts`. */
import type { Migration } from './migration.js';

export const accountSearch: Migration = {
  number: 17,
  name: 'account-search',
  statements: [
    // Marks become spaces, because the parser keeps an address or a file name as one word.
    `create function account_words(text, text, text) returns tsvector language sql immutable parallel safe as $$
      select to_tsvector('simple', translate(coalesce($1, '') || ' ' || coalesce($2, '') || ' ' || coalesce($3, ''),
        '!"#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~', repeat(' ', 32)))
    $$`,
  ],
};
