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
  /** Null: as the installation has it. */
  second_factor: 'optional' | 'required' | null;
  /** Said by `access_ended_at` too; still written for the version before, which reads it. Goes with the next one. */
  secured_at: Generated<Date | null>;
  /** Until then nothing that somebody signs in with is changed. */
  credentials_frozen_until: Generated<Date | null>;
  created_at: Date;
  updated_at: Date;
  /** Everything that was open then is over: a sign-in that was begun before does not go on. */
  access_ended_at: Generated<Date | null>;
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
  /** The browser id before the last step gave it a new one, with that step's answer (sealed) and its moment. */
  previous_browser_hash: string | null;
  step_result: string | null;
  stepped_at: Date | null;
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
  /** Which one it came by; null where none did, or it is not known. */
  provider: string | null;
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

export interface TotpFactorTable {
  account_id: string;
  /** Sealed seed. */
  secret: string;
  /** The newest time step (RFC 6238) whose code was taken; older and equal ones are refused. */
  last_step: number;
  created_at: Date;
  last_used_at: Date | null;
}

export interface SecurityKeyTable {
  id: Generated<string>;
  account_id: string;
  /** Base64url; unique over all accounts. */
  credential_id: string;
  /** COSE key. */
  public_key: Buffer;
  /** COSE algorithm. */
  algorithm: number;
  counter: number;
  backup_eligible: boolean;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

export interface RecoveryCodeTable {
  account_id: string;
  code_hash: string;
  used_at: Date | null;
}

export interface OneTimeSecretTable {
  secret_hash: string;
  purpose: string;
  account_id: string | null;
  bound_hash: Generated<string>;
  /** Sealed JSON. */
  payload: string | null;
  expires_at: Date;
}

export interface PendingAuthenticationTable {
  id: Generated<string>;
  challenge_hash: string;
  browser_hash: string;
  account_id: string;
  /** Sealed JSON: what the page and the end of the sign-in need. */
  context: string;
  /** Proven so far. */
  amr: string[];
  /** Wrong codes of this attempt. */
  failures: Generated<number>;
  /** The answer to a right code: handed in once by the form. */
  proof_hash: string | null;
  proof_amr: string | null;
  proof_expires_at: Date | null;
  closed_at: Date | null;
  expires_at: Date;
}

export interface ManageSessionTable {
  id: Generated<string>;
  account_id: string;
  /** `enrol`: may set up a first factor during a sign-in and nothing else. */
  scope: 'manage' | 'enrol';
  browser_hash: string;
  /** Of the access token that opened it; it belongs to this session for good. */
  entry_hash: string | null;
  /** The browser's own id at that moment: it may come again with that token when the session's cookie is gone. */
  entry_browser_hash: string | null;
  pending_id: string | null;
  client_id: string | null;
  return_to_url: string | null;
  return_to_name: string | null;
  /** When the person last proved a password or a factor. */
  proven_at: Date | null;
  created_at: Date;
  seen_at: Date;
  ended_at: Date | null;
  expires_at: Date;
  /** As long as its access token may live: a row that is gone would let another browser have the token. */
  kept_until: Date;
}

export interface RpcFamilyTable {
  id: string;
  session_id: string;
  /** The newest step whose token was brought. */
  step: number;
  stepped_at: Date;
  /** When the step before it was left. */
  previous_at: Date | null;
  ended_at: Date | null;
}

export interface OutboxTable {
  id: Assigned<number>;
  account_id: string | null;
  kind: string;
  recipient: string;
  locale: string;
  /** Sealed JSON. */
  payload: string;
  created_at: Date;
  /** A mail that would arrive later is not sent. */
  expires_at: Date | null;
  tries: Generated<number>;
  next_try_at: Date;
  claimed_until: Date | null;
  sent_at: Date | null;
  abandoned_at: Date | null;
}

export interface FreedUsernameTable {
  username_key: string;
  account_id: string | null;
  held_until: Date;
}

export interface ExternalIdentityTable {
  id: Generated<string>;
  account_id: string;
  /** Part of paths and settings; what is found by a sign-in is issuer and subject alone. */
  provider: string;
  issuer: string;
  subject: string;
  /** How the provider calls the person: untrusted, for eyes only, never compared. */
  label: string | null;
  connected_at: Date;
  last_used_at: Date | null;
}

/** Which of several accounts somebody went on with, last time, in an app. */
export interface ProviderChoiceTable {
  issuer: string;
  subject: string;
  client_id: string;
  account_id: string;
}

export interface RegistrationTicketTable {
  challenge_hash: string;
  handle_hash: string;
  browser_hash: string;
  /** Sealed JSON: the sign-in that waits. */
  context: string;
  /** Answers that the service was asked to mend. */
  refusals: Generated<number>;
  /** Whose sign-in it became. */
  account_id: string | null;
  /** Null where an older version began it. */
  begun_at: Date | null;
  expires_at: Date;
}

export interface RevocationJobTable {
  id: Assigned<number>;
  account_id: string;
  kind: 'named' | 'sessions' | 'everything';
  session_ids: string[];
  created_at: Date;
  tries: Generated<number>;
  next_try_at: Date;
  claimed_until: Date | null;
}

export interface Schema {
  account: AccountTable;
  password_credential: PasswordCredentialTable;
  attempt_counter: AttemptCounterTable;
  challenge_record: ChallengeRecordTable;
  browser_session: BrowserSessionTable;
  known_device: KnownDeviceTable;
  audit_event: AuditEventTable;
  totp_factor: TotpFactorTable;
  security_key: SecurityKeyTable;
  recovery_code: RecoveryCodeTable;
  one_time_secret: OneTimeSecretTable;
  pending_authentication: PendingAuthenticationTable;
  manage_session: ManageSessionTable;
  rpc_family: RpcFamilyTable;
  outbox: OutboxTable;
  freed_username: FreedUsernameTable;
  external_identity: ExternalIdentityTable;
  provider_choice: ProviderChoiceTable;
  registration_handover: RegistrationTicketTable;
  upstream_errand: RevocationJobTable;
}

export type AccountRow = Selectable<AccountTable>;
