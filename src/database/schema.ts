/**
 * The tables as kysely sees them; `migrations/` makes them. Secrets of other parties (browser ids, challenges, devices)
 * are kept as SHA-256 only, names in counters as keyed MACs.
 */
import type { ColumnType, Generated, Selectable } from 'kysely';

/** Never written by a statement. */
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
  /** Until then the credentials of the account cannot be changed. */
  credentials_frozen_until: Generated<Date | null>;
  /** All access from before was ended then: a sign-in that was begun earlier does not continue. */
  access_ended_at: Generated<Date | null>;
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
  window_until: Date | null;
  /** The `blocked_until` that the audit log already has. */
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
  /** The provider that said who the person is; null where none did. */
  provider: string | null;
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

/** A view. No row where an account has none of a kind. */
export interface AccountFactorView {
  account_id: Assigned<string>;
  /** Folder of a kind in `src/mfa/factors`. */
  kind: Assigned<string>;
  /** At least 1; of recovery codes those that are unused. */
  count: Assigned<number>;
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
  amr: string[];
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
  /** Of the session's cookie; with `enrol`, of the browser's own id. */
  browser_hash: string;
  /** Of the access token that opened it, which can open no other session. */
  access_token_hash: string | null;
  /** The browser's own id when the token was used: this browser may use it again when the session's cookie is gone. */
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
  /** The newest step whose token was used. */
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

export interface HeldUsernameTable {
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
  /** Sealed JSON: the login request that the ticket belongs to. */
  context: string;
  /** Answers of the service that it was asked to correct. */
  refusals: Generated<number>;
  account_id: string | null;
  created_at: Date;
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
  account_factor: AccountFactorView;
  one_time_secret: OneTimeSecretTable;
  pending_authentication: PendingAuthenticationTable;
  manage_session: ManageSessionTable;
  rpc_family: RpcFamilyTable;
  outbox: OutboxTable;
  held_username: HeldUsernameTable;
  external_identity: ExternalIdentityTable;
  provider_choice: ProviderChoiceTable;
  registration_ticket: RegistrationTicketTable;
  revocation_job: RevocationJobTable;
}

export type AccountRow = Selectable<AccountTable>;
