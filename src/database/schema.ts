/**
 * The tables as kysely sees them; `migrations/` makes them. Secrets of other parties (browser ids, challenges, devices)
 * are kept as SHA-256 only, names in counters as keyed MACs.
 */
import type { ColumnType, Generated, Selectable } from 'kysely';

/** Written once, by the database. */
type Assigned<T> = ColumnType<T, never, never>;
/** jsonb, always written as text: arrays would be taken for PostgreSQL arrays. */
type Json<T> = ColumnType<T, string, string>;

export interface AccountTable {
  id: Generated<string>;
  /** Order of creation, for lists that go on where they stopped. */
  seq: Assigned<number>;
  username: string;
  /** What is unique: see `accounts/username.ts`. */
  username_key: string;
  display_name: string;
  email: string | null;
  email_key: string | null;
  email_verified: Generated<boolean>;
  picture: string | null;
  language: string | null;
  group_name: string | null;
  status: Generated<'active' | 'disabled'>;
  created_at: Date;
  updated_at: Date;
}

export interface PasswordCredentialTable {
  account_id: string;
  /** PHC string. */
  hash: string;
  changed_at: Date;
}

export interface AttemptCounterTable {
  key: string;
  /** Set for counters of a known device, so that a new password clears them. */
  account_id: string | null;
  failures: Generated<number>;
  /** Tries whose hash is being computed. */
  pending: Generated<number>;
  reserved_at: Date | null;
  blocked_until: Date | null;
  /** End of the window of an address. */
  window_until: Date | null;
  /** The wait that already stands in the audit trail. */
  noted_until: Date | null;
  expires_at: Date;
}

export interface ChallengeRecordTable {
  challenge_hash: string;
  kind: 'login' | 'consent' | 'logout';
  browser_hash: string;
  /** Sealed. */
  result: string | null;
  finished_at: Date | null;
  expires_at: Date;
}

export interface BrowserSessionTable {
  account_id: string;
  upstream_session_id: string;
  browser_hash: string;
  auth_time: Date;
  acr: string;
  amr: string[];
  expires_at: Date;
}

export interface KnownDeviceTable {
  account_id: string;
  device_hash: string;
  remembered_at: Date;
  expires_at: Date;
}

export interface AuditEventTable {
  seq: Assigned<number>;
  at: Date;
  kind: string;
  actor: string;
  account_id: string | null;
  address: string | null;
  request_id: string | null;
  detail: Json<Record<string, string | number | boolean | string[]>> | null;
}

export interface Schema {
  account: AccountTable;
  password_credential: PasswordCredentialTable;
  attempt_counter: AttemptCounterTable;
  challenge_record: ChallengeRecordTable;
  browser_session: BrowserSessionTable;
  known_device: KnownDeviceTable;
  audit_event: AuditEventTable;
}

export type AccountRow = Selectable<AccountTable>;
