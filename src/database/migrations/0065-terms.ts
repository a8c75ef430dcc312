/**
 * Terms that people accept at the sign-in (`TERMS`): what an account has accepted, as a column that is read with the account, and the
 * evidence. A gateway of an earlier version knows neither.
 */
import type { Migration } from './migration.js';

export const terms: Migration = {
  number: 65,
  name: 'terms',
  statements: [
    `alter table account add column accepted_terms jsonb not null default '{}'`,
    `create table terms_text (
      sha256 text primary key,
      text text not null
    )`,
    `create table terms_acceptance (
      id bigint generated always as identity primary key,
      account_id uuid not null references account (id) on delete cascade,
      terms_id text not null,
      version text not null,
      sha256 text not null references terms_text (sha256),
      locale text not null,
      client_id text not null,
      accepted_at timestamptz not null,
      withdrawn_at timestamptz,
      request_id text
    )`,
    `create index terms_acceptance_account on terms_acceptance (account_id, id)`,
  ],
};
