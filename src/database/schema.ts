/**
 * The tables as kysely sees them; `migrations/` creates them. Browser ids, challenges and devices are stored as SHA-256
 * only, names in counters as keyed MACs.
 */
import type { ColumnType, Generated, Selectable } from 'kysely';

/** Never written by a statement. */
type Assigned<T> = ColumnType<T, never, never>;
/** jsonb, always written as text: the driver would send arrays as PostgreSQL arrays. */
type Json<T> = ColumnType<T, string, string>;

export interface AccountTable {
  id: Generated<string>;
  /** Order of creation, for paging. */
  seq: Assigned<number>;
  username: string;
  /** Unique key; see `accounts/account/username.ts`. */
  username_key: string;
  /** The username whose looks are stored; null, or an earlier one, after a version that stores none. */
  looked_username: Generated<string | null>;
  display_name: string;
  email: string | null;
  email_key: string | null;
  email_verified: Generated<boolean>;
  picture: string | null;
  language: string | null;
  group_name: string | null;
  /** Groups beside `group_name`. */
  groups: Generated<string[]>;
  /** As `ACCOUNT_SCHEMA` allows them; written as JSON text. */
  attributes: ColumnType<Readonly<Record<string, unknown>>, string | undefined, string>;
  status: Generated<'active' | 'disabled'>;
  /** Null: the setting of the installation applies. */
  second_factor: 'optional' | 'required' | null;
  /** Until then the credentials cannot be changed. */
  credentials_frozen_until: Generated<Date | null>;
  /** Time at which all access ended last: sign-ins started earlier do not continue. */
  access_ended_at: Generated<Date | null>;
  /** Time at which all trust in browsers ended last. */
  trust_ended_at: Generated<Date | null>;
  /** The person does not want a passkey to be offered after a sign-in. */
  passkey_offer_refused_at: Generated<Date | null>;
  /** Request id of the import that made the account. */
  import_request_id: Generated<string | null>;
  created_at: Date;
  updated_at: Date;
}

/** The account is deleted at `due_at`. */
export interface AccountDeletionTable {
  account_id: string;
  requested_by: 'person' | 'operator';
  requested_at: Date;
  due_at: Date;
}

export interface PasswordCredentialTable {
  account_id: string;
  /** PHC string. */
  hash: string;
  changed_at: Date;
}

export interface AttemptCounterTable {
  key: string;
  /** Set for counters of a known device, so that a new password deletes them. */
  account_id: string | null;
  failures: Generated<number>;
  /** Attempts that are being checked. */
  pending: Generated<number>;
  reserved_at: Date | null;
  blocked_until: Date | null;
  window_until: Date | null;
  /** The `blocked_until` that is already in the audit log. */
  noted_until: Date | null;
  expires_at: Date;
}

export interface ChallengeRecordTable {
  challenge_hash: string;
  kind: 'consent' | 'logout' | 'device';
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
  /** The provider that identified the person, if any. */
  provider: string | null;
  /** When it authenticated the person; null if it did not say so, and for sessions that version 0.1 began. */
  provider_auth_time: Date | null;
  expires_at: Date;
  /** Outlives the browser; null for a session of version 0.1. */
  remembered: boolean | null;
  /** It began without the second factor that the account has, in a browser that may go without it. */
  trusted: Generated<boolean>;
  /** When an app was signed in to by continuing it; null if none was. */
  last_used_at: Generated<Date | null>;
  /** The app that the person signed in to, from where, and with what; null for a sign-in of an older version. */
  client_id: Generated<string | null>;
  address: Generated<string | null>;
  browser: Generated<string | null>;
}

export interface KnownDeviceTable {
  account_id: string;
  device_hash: string;
  remembered_at: Date;
  expires_at: Date;
}

export interface TrustedBrowserTable {
  id: Generated<string>;
  account_id: string;
  secret_hash: string;
  /** Stamp of everything whose change ends the trust; see `trusted-browsers.ts`. */
  stamp: string;
  browser: string | null;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date;
}

export interface AuditEventTable {
  seq: Assigned<number>;
  at: Date;
  kind: string;
  actor: string;
  /** Name of the operator's token, if it has one. */
  operator_name: string | null;
  account_id: string | null;
  address: string | null;
  request_id: string | null;
  detail: Json<Record<string, string | number | boolean | string[]>> | null;
}

export interface TotpFactorTable {
  account_id: string;
  /** Sealed seed. */
  secret: string;
  /** The newest accepted time step (RFC 6238); this and older ones are refused. */
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

export interface PasskeyTable extends SecurityKeyTable {
  /** Copies of it exist. */
  backed_up: boolean;
  /** At its registration. */
  user_verified: boolean;
  /** Model of the authenticator. */
  aaguid: string;
}

export interface PasskeyUserTable {
  account_id: string;
  /** 64 bytes, base64url. */
  handle: string;
}

export interface RecoveryCodeTable {
  account_id: string;
  code_hash: string;
  used_at: Date | null;
  /** Nobody has confirmed to have seen it. */
  unseen: Generated<boolean>;
}

/** A view. No row if an account has no factor of a kind. */
export interface AccountFactorView {
  account_id: Assigned<string>;
  /** Folder of a kind in `src/mfa/factors`. */
  kind: Assigned<string>;
  /** At least 1; for recovery codes the unused ones. */
  count: Assigned<number>;
  /** When the newest was set up; null for recovery codes. */
  since: Assigned<Date | null>;
}

/** An address that its owner replaced: a link that was sent there brings it back. */
export interface FormerEmailTable {
  id: Assigned<number>;
  account_id: string;
  email: string;
  email_verified: boolean;
  /** The address that the account got instead. */
  successor: string;
  /** Set when it, or an older one, was brought back. */
  ended_at: Generated<Date | null>;
  expires_at: Date;
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

/** A login request of Hydra in the browser that opened it, or a proof that waits for its request to start again. */
export interface SignInTable {
  id: Generated<string>;
  /** Null for a carried proof. */
  challenge_hash: string | null;
  browser_hash: string;
  /** Sealed: the last ids that the browser had before. */
  former_browsers: Generated<string[]>;
  state: Generated<'open' | 'identified' | 'answered'>;
  /** Sealed: the login request. Null if it is not kept, or answered. */
  request: string | null;
  account_id: string | null;
  amr: Generated<string[]>;
  /** Sealed: the proof of the first factor. */
  proof: string | null;
  /** Another one for each proof of a first factor. */
  proof_id: string | null;
  /** What was proven counts until then. */
  proof_until: Date | null;
  /** Wrong codes. */
  failures: Generated<number>;
  closed_at: Date | null;
  /** Issued for a correct code, with what it proves; the form submits it once. */
  token_hash: string | null;
  token_methods: string[] | null;
  token_until: Date | null;
  /** Sealed: the last answer, its time, and the id of the browser that sent the form. */
  answer: string | null;
  answered_at: Date | null;
  answered_browser_hash: string | null;
  /** Hash of the secret and the address with which a carried proof arrives. */
  carried_hash: string | null;
  expires_at: Date;
}

export interface ManageSessionTable {
  id: Generated<string>;
  account_id: string;
  /** `enrol`: may only set up a first factor during a sign-in. */
  scope: 'manage' | 'enrol';
  /** Hash of the session's cookie; with `enrol`, of the browser id. */
  browser_hash: string;
  /** Hash of the access token that opened it, which can open no other session. */
  access_token_hash: string | null;
  /** Browser id when the token was used: this browser may use it again if the session's cookie is missing. */
  entry_browser_hash: string | null;
  sign_in_id: string | null;
  client_id: string | null;
  return_to_url: string | null;
  return_to_name: string | null;
  /** When the person last proved a password or a factor. */
  proven_at: Date | null;
  /** The same without a password. */
  factor_proven_at: Date | null;
  created_at: Date;
  seen_at: Date;
  ended_at: Date | null;
  expires_at: Date;
  /** The expiry of the access token: without the row another browser could use the token. */
  kept_until: Date;
}

export interface RpcFamilyTable {
  id: string;
  session_id: string;
  /** The newest step whose token was used. */
  step: number;
  stepped_at: Date;
  /** When the step changed last. */
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
  /** After this time the mail is not sent. */
  expires_at: Date | null;
  tries: Generated<number>;
  next_try_at: Date;
  /** `MAIL_URGENCY` of `accounts/queue/outbox.ts`; a lower number is sent first. */
  urgency: Generated<number>;
  claimed_until: Date | null;
  sent_at: Date | null;
  abandoned_at: Date | null;
}

export interface HeldUsernameTable {
  username_key: string;
  account_id: string | null;
  held_until: Date;
  /** What it looks like is stored too. */
  has_looks: Generated<boolean>;
}

export interface ExternalIdentityTable {
  id: Generated<string>;
  account_id: string;
  /** Part of paths and settings; a sign-in finds the identity by issuer and subject only. */
  provider: string;
  issuer: string;
  subject: string;
  /** Name at the provider: untrusted, for display only. */
  label: string | null;
  connected_at: Date;
  last_used_at: Date | null;
}

/** The person of a source to whom an account belongs. */
export interface SourceAccountTable {
  account_id: string;
  /** Id in the settings. */
  source: string;
  /** Id of the person there, which never changes. */
  subject: string;
  /** Fingerprint of what the source said of the person last. */
  profile: string;
  connected_at: Date;
  seen_at: Date;
}

/** A name that the person of an account has at its source: see `accounts/identities/source-names.ts`. */
export interface SourceNameTable {
  name_key: string;
  account_id: string;
}

/** The person of a source whose password is here since a sign-in: the source is not asked for this person any more. */
export interface MigratedAccountTable {
  account_id: string;
  /** As in `source_account`. */
  source: string;
  subject: string;
  migrated_at: Date;
}

/** The account that was last chosen for a client. */
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
  /** Sealed JSON: the login request of the ticket. */
  context: string;
  /** Number of answers that the service was asked to correct. */
  refusals: Generated<number>;
  account_id: string | null;
  created_at: Date;
  expires_at: Date;
}

/** Accounts whose subject is not their id. */
export interface AccountSubjectTable {
  account_id: string;
  subject: string;
}

/** What a person has granted to a client on the consent page. */
export interface ConsentGrantTable {
  account_id: string;
  client_id: string;
  scope: string;
  /** The first time; `expires_at` moves with each use. */
  granted_at: Date;
  expires_at: Date;
  /** When the client was registered; null if that was not known, or a gateway of the version before has written the row. */
  client_created_at: Generated<Date | null>;
}

/** When the access of apps was taken away last. What was granted before that counts for nothing, also at Hydra. */
export interface ConsentRemovalTable {
  account_id: string;
  /** Empty for all. */
  client_id: string;
  removed_at: Date;
}

export interface RevocationJobTable {
  id: Assigned<number>;
  account_id: string;
  kind: 'named' | 'sessions' | 'everything';
  session_ids: string[];
  /** At Hydra; null: the subject of the account, or its id. */
  subject: Generated<string | null>;
  created_at: Date;
  tries: Generated<number>;
  next_try_at: Date;
  claimed_until: Date | null;
}

export interface Schema {
  account: AccountTable;
  account_deletion: AccountDeletionTable;
  password_credential: PasswordCredentialTable;
  attempt_counter: AttemptCounterTable;
  challenge_record: ChallengeRecordTable;
  browser_session: BrowserSessionTable;
  known_device: KnownDeviceTable;
  trusted_browser: TrustedBrowserTable;
  audit_event: AuditEventTable;
  totp_factor: TotpFactorTable;
  security_key: SecurityKeyTable;
  passkey: PasskeyTable;
  passkey_user: PasskeyUserTable;
  recovery_code: RecoveryCodeTable;
  account_factor: AccountFactorView;
  former_email: FormerEmailTable;
  one_time_secret: OneTimeSecretTable;
  sign_in: SignInTable;
  manage_session: ManageSessionTable;
  rpc_family: RpcFamilyTable;
  outbox: OutboxTable;
  held_username: HeldUsernameTable;
  external_identity: ExternalIdentityTable;
  source_account: SourceAccountTable;
  migrated_account: MigratedAccountTable;
  source_name: SourceNameTable;
  provider_choice: ProviderChoiceTable;
  registration_ticket: RegistrationTicketTable;
  account_subject: AccountSubjectTable;
  revocation_job: RevocationJobTable;
  consent_grant: ConsentGrantTable;
  consent_removal: ConsentRemovalTable;
}

export type AccountRow = Selectable<AccountTable>;
