/**
 * The types of the tables for kysely; `migrations/` creates the tables. Browser ids, challenges and devices are stored only sealed or as
 * SHA-256 hashes, and names in counters only as keyed MACs. "Sealed" means encrypted with a key of the settings.
 */
import type { ColumnType, Generated, Selectable } from 'kysely';

/** A column that the database fills: no statement writes it. */
type Assigned<T> = ColumnType<T, never, never>;
/** A jsonb column. It is written as text, because the driver would send arrays as PostgreSQL arrays. */
type Json<T> = ColumnType<T, string, string>;

export interface AccountTable {
  id: Generated<string>;
  /** Order of creation, for paging. */
  seq: Assigned<number>;
  username: string;
  /** Unique key; see `accounts/account/username.ts`. */
  username_key: string;
  /** The username whose skeletons (UTS 39) are stored. Null or an earlier username if an older version of Foyer has written the row. */
  looked_username: Generated<string | null>;
  display_name: string;
  email: string | null;
  email_key: string | null;
  email_verified: Generated<boolean>;
  picture: string | null;
  language: string | null;
  group_name: string | null;
  /** Groups other than `group_name`. */
  groups: Generated<string[]>;
  /** Checked against `ACCOUNT_SCHEMA` when written. */
  attributes: ColumnType<Readonly<Record<string, unknown>>, string | undefined, string>;
  status: Generated<'active' | 'disabled'>;
  /** Null if the setting of the installation applies. */
  second_factor: 'optional' | 'required' | null;
  /** Until this time the credentials cannot be changed. */
  credentials_frozen_until: Generated<Date | null>;
  /** When all access last ended (the security stamp): sign-ins that began earlier do not continue. */
  access_ended_at: Generated<Date | null>;
  /** When all trust in browsers last ended. */
  trust_ended_at: Generated<Date | null>;
  /** When the person asked not to be offered a passkey after a sign-in. */
  passkey_offer_refused_at: Generated<Date | null>;
  /** Since when a new password is required at the next sign-in with the password; null if none is required. A trigger ends the requirement. */
  password_change_required_at: Generated<Date | null>;
  password_change_reason: Generated<'operator' | 'breached' | 'source' | null>;
  /** Accepted versions of terms, by the id of the terms. */
  accepted_terms: ColumnType<Readonly<Record<string, readonly string[]>>, string | undefined, string>;
  /** When a SCIM source gave the account to its present person; null if the account has belonged to one person only. */
  present_person_since: Generated<Date | null>;
  /** Request id of the import that created the account. */
  import_request_id: Generated<string | null>;
  created_at: Date;
  updated_at: Date;
}

/** A planned deletion of an account, carried out at `due_at`. */
export interface AccountDeletionTable {
  account_id: string;
  requested_by: 'person' | 'operator';
  requested_at: Date;
  due_at: Date;
}

export interface PasswordCredentialTable {
  account_id: string;
  /** A string in PHC format. */
  hash: string;
  changed_at: Date;
}

export interface AttemptCounterTable {
  key: string;
  /** Set for counters of a known device, so that a new password deletes them. */
  account_id: string | null;
  failures: Generated<number>;
  /** Number of attempts that are being checked now. */
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
  /** The answer, sealed. */
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
  /** When the provider authenticated the person; null if it did not report a time, and for sessions of version 0.1. */
  provider_auth_time: Date | null;
  expires_at: Date;
  /** Whether the session outlives the browser; null for a session of version 0.1. */
  remembered: boolean | null;
  /** Whether the session began without the second factor of the account, in a trusted browser. */
  trusted: Generated<boolean>;
  /** When a sign-in to an app last continued the session; null if none did. */
  last_used_at: Generated<Date | null>;
  /** The app, network address and browser of the sign-in; null for a sign-in of an older version. `browser` is also null if unknown. */
  client_id: Generated<string | null>;
  address: Generated<string | null>;
  browser: Generated<string | null>;
  /** When a session of the console that began with this sign-in was ended. */
  console_ended_at: Generated<Date | null>;
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
  /** A stamp of the credentials whose change ends the trust; see `trusted-browsers.ts`. */
  stamp: string;
  browser: string | null;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date;
}

/** Written by triggers (migration 57). */
export interface AccountListingTable {
  account_id: string;
  account_seq: number;
  last_sign_in_at: Date | null;
  source: string | null;
}

export interface SavedFilterTable {
  id: Generated<string>;
  owner: string;
  account_id: string | null;
  page: 'people' | 'activity';
  name: string;
  filter: ColumnType<Readonly<Record<string, string>>, string, string>;
  saved_at: Date;
}

export interface AccountJobTable {
  id: Assigned<number>;
  owner: string;
  account_id: string | null;
  operator_name: string | null;
  address: string;
  request_id: string;
  reason: string | null;
  action: string;
  days: number | null;
  filter: ColumnType<Readonly<Record<string, string>>, string, never>;
  state: 'running' | 'done' | 'stopped';
  /** `operator`: an operator stopped the job. `rights`: the operator who started it no longer has the rights. */
  stop_cause: 'operator' | 'rights' | null;
  total: number;
  done: Generated<number>;
  failed: Generated<number>;
  created_at: Date;
  ended_at: Generated<Date | null>;
  tries: Generated<number>;
  next_try_at: Date;
  claimed_until: Generated<Date | null>;
}

export interface AccountJobItemTable {
  job_id: number;
  ordinal: number;
  account_id: string;
  state: Generated<'waiting' | 'begun' | 'done' | 'failed'>;
  fault: string | null;
}

export interface OperatorSessionTable {
  id: Generated<string>;
  account_id: string;
  secret_hash: string;
  /** `sid` of the session at Hydra. */
  upstream_session_id: string;
  /** The security stamp of the account when the session began. */
  stamp: string;
  acr: string;
  address: string | null;
  browser: string | null;
  began_at: Date;
  proven_at: Date;
  seen_at: Date;
  expires_at: Date;
}

export interface AuditEventTable {
  seq: Assigned<number>;
  at: Date;
  kind: string;
  actor: string;
  /** Name of the operator's token, or username of the operator; null for the token of OPERATOR_TOKEN, and for other actors. */
  operator_name: string | null;
  account_id: string | null;
  address: string | null;
  request_id: string | null;
  detail: Json<Record<string, string | number | boolean | string[]>> | null;
}

export interface TotpFactorTable {
  account_id: string;
  /** The seed, sealed. */
  secret: string;
  /** The newest accepted time step (RFC 6238); codes of this and older steps are refused. */
  last_step: number;
  created_at: Date;
  last_used_at: Date | null;
}

export interface SecurityKeyTable {
  id: Generated<string>;
  account_id: string;
  /** Base64url; unique over all accounts. */
  credential_id: string;
  /** A COSE key. */
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
  /** Whether copies of the credential exist (`BS` in WebAuthn). */
  backed_up: boolean;
  /** Whether the authenticator verified the user at the registration. */
  user_verified: boolean;
  /** Identifies the model of the authenticator. */
  aaguid: string;
}

export interface PasskeyUserTable {
  account_id: string;
  /** The WebAuthn user handle: 64 bytes, base64url. */
  handle: string;
}

export interface RecoveryCodeTable {
  account_id: string;
  code_hash: string;
  used_at: Date | null;
  /** True until the person has confirmed having seen the codes. */
  unseen: Generated<boolean>;
}

/** A view with one row for each kind of factor that an account has. */
export interface AccountFactorView {
  account_id: Assigned<string>;
  /** Name of the folder of the kind in `src/mfa/factors`, or `recovery-codes`. */
  kind: Assigned<string>;
  /** At least 1. Used recovery codes do not count. */
  count: Assigned<number>;
  /** When the newest factor of the kind was set up; null for recovery codes and passkeys. */
  since: Assigned<Date | null>;
}

/** An e-mail address that its owner replaced. A link that was mailed to the address restores it. */
export interface FormerEmailTable {
  id: Assigned<number>;
  account_id: string;
  email: string;
  email_verified: boolean;
  /** The address that replaced this one. */
  successor: string;
  /** When this address, or an older one, was restored. */
  ended_at: Generated<Date | null>;
  expires_at: Date;
}

export interface OneTimeSecretTable {
  secret_hash: string;
  purpose: string;
  account_id: string | null;
  bound_hash: Generated<string>;
  /** Sealed text; its form depends on the purpose. */
  payload: string | null;
  expires_at: Date;
}

/** A login request of Hydra in the browser that opened it, or a carried proof, which waits for its request to start again. */
export interface SignInTable {
  id: Generated<string>;
  /** Null for a carried proof. */
  challenge_hash: string | null;
  browser_hash: string;
  /** The most recent former ids of the browser, sealed. */
  former_browsers: Generated<string[]>;
  state: Generated<'open' | 'identified' | 'answered'>;
  /** The login request, sealed; null if it is not kept, or has been answered. */
  request: string | null;
  account_id: string | null;
  amr: Generated<string[]>;
  /** The proof of the first factor, sealed. */
  proof: string | null;
  /** A new id for each proof of a first factor. */
  proof_id: string | null;
  /** When the proof expires. */
  proof_until: Date | null;
  /** Number of wrong codes. */
  failures: Generated<number>;
  closed_at: Date | null;
  /** Hash of the factor token for a correct code, which the form submits once. `token_methods`: the methods that the code proves. */
  token_hash: string | null;
  token_methods: string[] | null;
  token_until: Date | null;
  /** The last answer, sealed. The next two columns are its time and the browser that sent the form. */
  answer: string | null;
  answered_at: Date | null;
  answered_browser_hash: string | null;
  /** Hash of the secret and the request address of a carried proof. */
  carried_hash: string | null;
  expires_at: Date;
}

export interface ManageSessionTable {
  id: Generated<string>;
  account_id: string;
  /** `enrol`: may only set up a first factor during a sign-in. */
  scope: 'manage' | 'enrol';
  /** Hash of the session's cookie or, with `enrol`, of the browser id. */
  browser_hash: string;
  /** Hash of the access token that opened the session; the token can open no other session. */
  access_token_hash: string | null;
  /** Hash of the browser id when the token was used: that browser may use the token again if the session's cookie is missing. */
  entry_browser_hash: string | null;
  sign_in_id: string | null;
  client_id: string | null;
  return_to_url: string | null;
  return_to_name: string | null;
  /** When the person last proved a password, a factor, a passkey or a mailed code. */
  proven_at: Date | null;
  /** When the person last proved anything but a password: a factor, a passkey or a mailed code. */
  factor_proven_at: Date | null;
  created_at: Date;
  seen_at: Date;
  ended_at: Date | null;
  expires_at: Date;
  /**
   * The row stays until this time: until the session expires or, if later, the access token, because without the row another browser could
   * use the token.
   */
  kept_until: Date;
}

export interface RpcFamilyTable {
  id: string;
  session_id: string;
  /** The newest step whose token was used. */
  step: number;
  /** When the token of this step was first used. */
  stepped_at: Date;
  /** When the token of the previous step was first used. */
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
  /** After this time the mail is no longer sent. */
  expires_at: Date | null;
  tries: Generated<number>;
  next_try_at: Date;
  /** `MAIL_URGENCY` of `accounts/queue/outbox.ts`; a lower number is sent first. */
  urgency: Generated<number>;
  claimed_until: Date | null;
  sent_at: Date | null;
  abandoned_at: Date | null;
  /** Why the last try failed: `MAIL_CAUSES` of `accounts/queue/failed-mails.ts`. */
  cause: string | null;
  /** Codes of the mail client and server at the last try, without their texts. */
  failure_code: string | null;
}

export interface HeldUsernameTable {
  username_key: string;
  account_id: string | null;
  held_until: Date;
  /** Whether the skeletons of the username are stored too. */
  has_looks: Generated<boolean>;
}

export interface ExternalIdentityTable {
  id: Generated<string>;
  account_id: string;
  /** Id of the provider in paths and settings. A sign-in finds the identity by issuer and subject only. */
  provider: string;
  issuer: string;
  subject: string;
  /** Name of the person at the provider, which is untrusted and only displayed. */
  label: string | null;
  connected_at: Date;
  last_used_at: Date | null;
}

/** The person of a user source to whom an account belongs. */
export interface SourceAccountTable {
  account_id: string;
  /** Id of the user source in the settings, issuer of a provider, or `scim:` followed by the id of a SCIM source. */
  source: string;
  /** Id of the person at the user source, which never changes; for a SCIM source, the id of the account. */
  subject: string;
  /** Fingerprint of the profile that the user source reported last. */
  profile: string;
  connected_at: Date;
  seen_at: Date;
  /** When the source was last queried again; null if never. */
  checked_at: Generated<Date | null>;
  /** End of the lease of the gateway that is querying the source. */
  checking_until: Generated<Date | null>;
}

/** A person whom a SCIM source has sent (`accounts/scim`). */
export interface ScimUserTable {
  account_id: string;
  /** As in `source_account`. */
  source: string;
  /** `userName`, folded like a username. */
  user_name_key: string;
  external_id: string | null;
  /** Keys of all addresses. */
  emails: string[];
  /** The value that the source has sent. */
  active: boolean;
  /** Whether the source has disabled the account. Only then may the source enable the account. */
  disabled_here: boolean;
  /** The stored attributes (RFC 7643, sections 4.1 and 4.3). */
  resource: Json<Readonly<Record<string, unknown>>>;
  version: number;
  created_at: Date;
  modified_at: Date;
  /** When the source deleted a person whose account stays (`on_delete`): the source can no longer read the person. */
  deleted_at: Generated<Date | null>;
}

export interface ScimGroupTable {
  id: Generated<string>;
  /** As in `source_account`. */
  source: string;
  display_name: string;
  display_key: string;
  external_id: string | null;
  version: number;
  created_at: Date;
  modified_at: Date;
}

export interface ScimGroupMemberTable {
  group_id: string;
  account_id: string;
}

/** A call of a SCIM client that was refused; one row for each subject and cause. */
export interface ScimFaultTable {
  id: Generated<string>;
  /** As in `source_account`. */
  source: string;
  at: Date;
  last_at: Date;
  times: Generated<number>;
  method: string;
  /** `User` or `Group`. */
  resource: string;
  /** The subject of the call, as the client names it. A later successful call about the same subject removes the row. */
  subject: string;
  /** `scimType` of the answer, or its status. */
  code: string;
  /** Path of the attribute; empty if there is none. */
  field: string;
  detail: string;
  /** The account that caused the refusal, or that the call concerned. */
  account_id: string | null;
}

/** When a SCIM source made its last request, up to a minute too early. */
export interface ScimSourceTable {
  /** As in `source_account`. */
  source: string;
  last_at: Date;
}

/** The permission of an operator for a SCIM source to take over an existing account. */
export interface ScimOfferTable {
  account_id: string;
  /** As in `source_account`. */
  source: string;
  /** The `externalId` with which the source takes over the account; null if the verified address decides. */
  external_id: string | null;
  offered_at: Date;
  offered_by: string;
  expires_at: Date;
}

/** A name of the person at the user source of the account; see `accounts/identities/source-names.ts`. */
export interface SourceNameTable {
  name_key: string;
  account_id: string;
}

/** The person of a user source whose password was taken over at a sign-in: the user source is no longer queried. */
export interface MigratedAccountTable {
  account_id: string;
  /** Id of the user source in the settings, as in `source_account`. */
  source: string;
  subject: string;
  migrated_at: Date;
}

/** The account that an identity with several accounts last chose for a client. */
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
  /** The login request of the ticket, as sealed JSON. */
  context: string;
  /** Number of answers that the registration service was asked to correct. */
  refusals: Generated<number>;
  account_id: string | null;
  created_at: Date;
  expires_at: Date;
}

/** The subject of an account whose subject is not its id. */
export interface AccountSubjectTable {
  account_id: string;
  subject: string;
}

/** A scope that a person has granted to a client on the consent page. */
export interface ConsentGrantTable {
  account_id: string;
  client_id: string;
  scope: string;
  /**
   * When the scope was first granted. Another grant sets a new time only if the earlier one had expired, or the client was registered
   * again. Each use moves only `expires_at`.
   */
  granted_at: Date;
  expires_at: Date;
  /** When the client was registered; null if that is unknown, or an older version has written the row. */
  client_created_at: Generated<Date | null>;
}

/** When the person last removed the access of an app. Earlier grants do not count, nor do earlier consents at Hydra. */
export interface ConsentRemovalTable {
  account_id: string;
  /** Empty for all apps. */
  client_id: string;
  removed_at: Date;
}

export interface RevocationJobTable {
  id: Assigned<number>;
  account_id: string;
  kind: 'named' | 'sessions' | 'everything';
  session_ids: string[];
  /** Subject of the sessions at Hydra; null for the current subject of the account. */
  subject: Generated<string | null>;
  created_at: Date;
  tries: Generated<number>;
  next_try_at: Date;
  claimed_until: Date | null;
}

/** An operator right that was granted to an account. */
export interface OperatorGrantTable {
  account_id: string;
  right_name: string;
  granted_at: Date;
  /** The actor as in the audit log: `operator`, or `operator:` and a name. */
  granted_by: string;
  /** Null if the right does not end. */
  ends_at: Date | null;
  reason: string | null;
}

/** Three words that a person reads to the help desk from their own page. */
export interface SupportCheckTable {
  account_id: string;
  id: Generated<string>;
  /** Sealed. */
  words: string;
  /** The actor as in the audit log: `operator`, or `operator:` and a name. */
  asked_by: string;
  /** Null for a token. */
  asked_account: string | null;
  asked_at: Date;
  expires_at: Date;
  /** Number of wrong answers. */
  refused: Generated<number>;
  passed_at: Date | null;
}

/** An operation of an operator that waits, or waited, for a second operator. */
export interface OperatorApprovalTable {
  id: Generated<string>;
  seq: Assigned<number>;
  /** Id of the operation (`src/operator/operations.ts`). */
  operation: string;
  /** Null for an export. */
  account_id: string | null;
  /** The body of the call; without secrets. */
  body: Json<Readonly<Record<string, unknown>>>;
  /** The state of the account when the operation was requested; null for an export. */
  basis: Json<unknown> | null;
  reason: string;
  /** The actor as in the audit log: `operator`, or `operator:` and a name. */
  asked_by: string;
  /** Null for a token. */
  asked_account: string | null;
  asked_at: Date;
  expires_at: Date;
  /** The first of the two operators that the request of a token needs. */
  supported_by: string | null;
  supported_account: string | null;
  /** `stopped`: by the person whose account the operation would have changed. */
  decision: 'approved' | 'rejected' | 'withdrawn' | 'stopped' | 'expired' | null;
  decided_by: string | null;
  decided_account: string | null;
  decided_at: Date | null;
  decision_reason: string | null;
  /** When an approved export began. */
  used_at: Date | null;
  closed: Generated<boolean>;
  /** The approval is not possible before this time; null if it is always possible. */
  not_before: Date | null;
  /** Whether the person was notified by mail; null if no notification is needed. */
  announced: boolean | null;
  /** Whether the operator who requested the operation had checked who was calling. */
  checked: Generated<boolean>;
}

/** What a person entered who signed up and waits for an operator's decision. The decision deletes the row. */
export interface SignUpApplicationTable {
  id: Generated<string>;
  seq: Assigned<number>;
  email_key: string;
  /** Proven by a code. */
  email: string;
  /** Null if the person was not asked for one. */
  username: string | null;
  display_name: string | null;
  /** Texts by attribute. */
  attributes: Json<Readonly<Record<string, string>>>;
  /** Hash of the password that the account will have. */
  hash: string;
  client_id: string;
  client_name: string;
  /** Address of the app, if the client has registered it. */
  app_url: string | null;
  /** Language of the page. */
  locale: string | null;
  asked_at: Date;
  expires_at: Date;
}

export interface InvitationTable {
  id: Generated<string>;
  seq: Assigned<number>;
  email: string;
  email_key: string;
  display_name: string | null;
  group_name: string | null;
  groups: string[];
  attributes: Json<Readonly<Record<string, unknown>>>;
  client_id: string | null;
  language: string | null;
  /** The name of the inviter that the mail and the page show. */
  inviter: string | null;
  /** The actor as in the audit log: `operator`, or `operator:` and a name. */
  invited_by: string;
  reason: string | null;
  secret_hash: string;
  /** Number of days for which a link works. */
  days: number;
  created_at: Date;
  /** When the last link was mailed. */
  sent_at: Date;
  expires_at: Date;
  /** When the invitation was used or withdrawn. */
  ended_at: Date | null;
  /** Neither used nor withdrawn. */
  is_open: Generated<boolean>;
  /** The account that was created with the invitation. */
  account_id: string | null;
}

/** Texts of terms that people have accepted. They outlive the accounts. */
export interface TermsTextTable {
  sha256: string;
  text: string;
}

/** The evidence of accepted terms. */
export interface TermsAcceptanceTable {
  id: Assigned<number>;
  account_id: string;
  terms_id: string;
  version: string;
  sha256: string;
  /** Language of the text. */
  locale: string;
  /** The client that the person was signing in to. */
  client_id: string;
  accepted_at: Date;
  withdrawn_at: Generated<Date | null>;
  request_id: string | null;
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
  account_listing: AccountListingTable;
  saved_filter: SavedFilterTable;
  account_job: AccountJobTable;
  account_job_item: AccountJobItemTable;
  operator_session: OperatorSessionTable;
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
  scim_user: ScimUserTable;
  scim_group: ScimGroupTable;
  scim_group_member: ScimGroupMemberTable;
  scim_fault: ScimFaultTable;
  scim_offer: ScimOfferTable;
  scim_source: ScimSourceTable;
  provider_choice: ProviderChoiceTable;
  registration_ticket: RegistrationTicketTable;
  account_subject: AccountSubjectTable;
  operator_grant: OperatorGrantTable;
  operator_approval: OperatorApprovalTable;
  invitation: InvitationTable;
  support_check: SupportCheckTable;
  revocation_job: RevocationJobTable;
  consent_grant: ConsentGrantTable;
  consent_removal: ConsentRemovalTable;
  sign_up_application: SignUpApplicationTable;
  terms_text: TermsTextTable;
  terms_acceptance: TermsAcceptanceTable;
}

export type AccountRow = Selectable<AccountTable>;
