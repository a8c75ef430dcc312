/** Hand-overs to the registration service, until the person comes back. */
import type { Migration } from './migration.js';

export const registrations: Migration = {
  number: 5,
  name: 'registrations',
  statements: [
    // One of each sign-in, the newest. The account is whose sign-in it became, however often its answer comes.
    `create table registration_handover (
      challenge_hash text collate "C" primary key,
      handle_hash text collate "C" not null,
      browser_hash text collate "C" not null,
      context text not null,
      refusals integer not null default 0,
      account_id uuid references account on delete cascade,
      expires_at timestamptz not null,
      constraint registration_handover_handle unique (handle_hash)
    )`,
    `create index registration_handover_account on registration_handover (account_id) where account_id is not null`,
    `create index registration_handover_expiry on registration_handover (expires_at)`,
  ],
};
