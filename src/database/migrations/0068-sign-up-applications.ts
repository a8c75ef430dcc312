/** People who signed up and wait for an operator's decision (`src/accounts/changes/sign-up-applications.ts`). */
import type { Migration } from './migration.js';

export const signUpApplications: Migration = {
  number: 68,
  name: 'sign-up-applications',
  statements: [
    // A row exists only until the decision, because no data of a refused person may stay.
    `create table sign_up_application (
      id uuid primary key default gen_random_uuid(),
      seq bigint generated always as identity,
      email_key text collate "C" not null,
      email text not null,
      username text,
      display_name text,
      attributes jsonb not null,
      hash text not null,
      client_id text not null,
      client_name text not null,
      app_url text,
      locale text,
      asked_at timestamptz not null,
      expires_at timestamptz not null
    )`,
    `create unique index sign_up_application_email on sign_up_application (email_key)`,
    `create unique index sign_up_application_order on sign_up_application (seq)`,
    `create index sign_up_application_expiry on sign_up_application (expires_at)`,
  ],
};
