/**
 * The values by which the list of people is filtered and ordered, besides the values of the account itself
 * (`src/accounts/account/account-list.ts`). They are in a separate table, because every sign-in would otherwise write the many indexes
 * of the account. Triggers update the table, also for gateways of the previous version.
 */
import type { Migration } from './migration.js';

/** Writes only rows that are missing or wrong, so that the second copy, during which people cannot sign in, is short. */
const COPY_ACCOUNTS = `insert into account_listing (account_id, account_seq, last_sign_in_at, source)
  select a.id, a.seq, b.last_at, s.source
  from account a
    left join (select account_id, date_trunc('milliseconds', max(auth_time)) as last_at from browser_session group by account_id) b
      on b.account_id = a.id
    left join source_account s on s.account_id = a.id
    left join account_listing l on l.account_id = a.id
  where l.account_id is null or (l.last_sign_in_at, l.source) is distinct from (b.last_at, s.source)
  on conflict (account_id) do update set last_sign_in_at = excluded.last_sign_in_at, source = excluded.source`;

export const peopleLists: Migration = {
  number: 57,
  name: 'people-lists',
  statements: [
    `create table account_listing (
      account_id uuid primary key references account on delete cascade,
      account_seq bigint not null,
      last_sign_in_at timestamptz,
      source text collate "C"
    ) with (fillfactor = 80)`,
    `create index account_listing_sign_in on account_listing (last_sign_in_at, account_seq)`,
    `create index account_listing_source on account_listing (source, account_seq)`,
    // Most rows are written before the triggers lock the tables; the second copy corrects the rows that have changed since.
    COPY_ACCOUNTS,
    `create function account_listing_add() returns trigger language plpgsql as $$
    begin
      insert into account_listing (account_id, account_seq) values (new.id, new.seq) on conflict (account_id) do nothing;
      return null;
    end $$`,
    `create function account_listing_sign_in() returns trigger language plpgsql as $$
    begin
      update account_listing set last_sign_in_at = date_trunc('milliseconds', new.auth_time)
        where account_id = new.account_id and (last_sign_in_at is null or last_sign_in_at < date_trunc('milliseconds', new.auth_time));
      return null;
    end $$`,
    `create function account_listing_source() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        update account_listing set source = null where account_id = old.account_id;
      else
        update account_listing set source = new.source where account_id = new.account_id;
      end if;
      return null;
    end $$`,
    `create trigger account_listing_add after insert on account for each row execute function account_listing_add()`,
    `create trigger account_listing_sign_in after insert or update of auth_time on browser_session
      for each row execute function account_listing_sign_in()`,
    `create trigger account_listing_source after insert or update of source or delete on source_account
      for each row execute function account_listing_source()`,
    COPY_ACCOUNTS,
    // `owner`: the account id of the operator, or `token:` and the name of a token.
    `create table saved_filter (
      id uuid primary key default gen_random_uuid(),
      owner text collate "C" not null,
      account_id uuid references account on delete cascade,
      page text not null,
      name text not null,
      filter jsonb not null,
      saved_at timestamptz not null,
      constraint saved_filter_name unique (owner, page, name)
    )`,
    `create index saved_filter_account on saved_filter (account_id) where account_id is not null`,
    // Jobs on many accounts. `account_id` is the operator, null for a token.
    `create table account_job (
      id bigint generated always as identity primary key,
      owner text collate "C" not null,
      account_id uuid references account on delete set null,
      operator_name text,
      address text not null,
      request_id text not null,
      reason text,
      action text not null,
      days integer,
      filter jsonb not null,
      state text not null,
      stop_cause text,
      total integer not null,
      done integer not null default 0,
      failed integer not null default 0,
      created_at timestamptz not null,
      ended_at timestamptz,
      tries integer not null default 0,
      next_try_at timestamptz not null,
      claimed_until timestamptz
    ) with (fillfactor = 80)`,
    `create index account_job_due on account_job (next_try_at) where state = 'running'`,
    `create unique index account_job_owner on account_job (owner) where state = 'running'`,
    `create index account_job_account on account_job (account_id)`,
    `create index account_job_ended on account_job (ended_at)`,
    // There is no reference to the account, so that a job can report an account that was deleted before the job reached it.
    `create table account_job_item (
      job_id bigint not null references account_job on delete cascade,
      ordinal integer not null,
      account_id uuid not null,
      state text not null default 'waiting',
      fault text,
      primary key (job_id, ordinal)
    )`,
    `create index account_job_item_waiting on account_job_item (job_id, ordinal) where state = 'waiting'`,
    `create index account_job_item_begun on account_job_item (job_id) where state = 'begun'`,
    `create index account_job_item_failed on account_job_item (job_id, ordinal) where state = 'failed'`,
  ],
};
