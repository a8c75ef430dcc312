/** Sessions of operators in the console. */
import type { Migration } from './migration.js';

export const operatorSessions: Migration = {
  number: 48,
  name: 'operator-sessions',
  statements: [
    // `stamp`: the security stamp of the account when the session began. The session counts only while the stamp is unchanged.
    `create table operator_session (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null references account on delete cascade,
      secret_hash text collate "C" not null,
      upstream_session_id text collate "C" not null,
      stamp text collate "C" not null,
      acr text not null,
      address text,
      browser text,
      began_at timestamptz not null,
      proven_at timestamptz not null,
      seen_at timestamptz not null,
      expires_at timestamptz not null,
      constraint operator_session_secret unique (secret_hash)
    ) with (fillfactor = 80)`,
    `create index operator_session_account on operator_session (account_id)`,
    `create index operator_session_upstream on operator_session (upstream_session_id)`,
    `create index operator_session_expiry on operator_session (expires_at)`,
  ],
};
