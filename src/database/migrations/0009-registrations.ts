/** Registration tickets: people who were sent to the registration service and have not returned. */
import type { Migration } from './migration.js';

export const registrations: Migration = {
  number: 9,
  name: 'registrations',
  statements: [
    // One row for each login request: its newest ticket. `account_id` is the account that the ticket resulted in.
    `create table registration_ticket (
      challenge_hash text collate "C" primary key,
      handle_hash text collate "C" not null,
      browser_hash text collate "C" not null,
      context text not null,
      refusals integer not null default 0,
      account_id uuid references account on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      constraint registration_ticket_handle unique (handle_hash)
    )`,
    `create index registration_ticket_account on registration_ticket (account_id) where account_id is not null`,
    `create index registration_ticket_expiry on registration_ticket (expires_at)`,
  ],
};
