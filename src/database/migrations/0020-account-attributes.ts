/** Attributes and groups of accounts (`src/accounts/attributes`). */
import type { Migration } from './migration.js';

export const accountAttributes: Migration = {
  number: 20,
  name: 'account-attributes',
  statements: [
    // The previous version writes neither column. `groups` excludes `group_name`, which the previous version still changes.
    `alter table account
      add column attributes jsonb not null default '{}',
      add column groups text[] not null default '{}'`,
    // `not valid`: every row has the default, so no row has to be checked.
    `alter table account
      add constraint account_attributes_check check (jsonb_typeof(attributes) = 'object') not valid`,
  ],
};
