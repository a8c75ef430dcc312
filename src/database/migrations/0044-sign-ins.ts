/**
 * One table for sign-ins, in place of the tables for login challenges and pending authentications. Sign-ins that began in the
 * previous version cannot continue: their pages ask people to start again. The old tables stay for gateways of that version.
 */
import type { Migration } from './migration.js';

export const signIns: Migration = {
  number: 44,
  name: 'sign-ins',
  statements: [
    `create table sign_in (
      id uuid primary key default gen_random_uuid(),
      challenge_hash text collate "C",
      browser_hash text collate "C" not null,
      state text not null default 'open' check (state in ('open', 'identified', 'answered')),
      request text,
      account_id uuid references account on delete set null,
      amr text[] not null default '{}',
      proof text,
      proof_id uuid,
      proof_until timestamptz,
      failures integer not null default 0,
      closed_at timestamptz,
      token_hash text collate "C",
      token_methods text[],
      token_until timestamptz,
      answer text,
      answered_at timestamptz,
      answered_browser_hash text collate "C",
      carried_hash text collate "C",
      expires_at timestamptz not null,
      constraint sign_in_challenge unique (challenge_hash),
      constraint sign_in_carried unique (carried_hash)
    ) with (fillfactor = 70)`,
    `create index sign_in_account on sign_in (account_id) where account_id is not null`,
    `create index sign_in_browser on sign_in (browser_hash) where state <> 'answered'`,
    `create index sign_in_expiry on sign_in (expires_at)`,
    `alter table manage_session add column sign_in_id uuid references sign_in on delete cascade`,
    `alter table passkey add column last_sign_in_hash text collate "C"`,
  ],
};
