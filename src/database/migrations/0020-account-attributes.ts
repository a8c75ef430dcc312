/** What an installation keeps about its people beside the fixed columns (`src/accounts/attributes`). */
import type { Migration } from './migration.js';

export const accountAttributes: Migration = {
  number: 20,
  name: 'account-attributes',
  statements: [
    // The version before writes neither. `groups` are those beside `group_name`, which it goes on changing alone.
    `alter table account
      add column attributes jsonb not null default '{}',
      add column groups text[] not null default '{}'`,
    // Every row has the default: none has to be read.
    `alter table account
      add constraint account_attributes_check check (jsonb_typeof(attributes) = 'object') not valid`,
  ],
};
