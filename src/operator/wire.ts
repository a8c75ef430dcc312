/**
 * Paths and answer types that the operator API and its clients share; the other `wire-*.ts` files contain further answer types. These
 * files import only types, so that the CLI stays small. The types of requests are in `api/*-bodies.ts`.
 */
import type { Locale } from '../contract/locale.js';

export const OPERATOR_API = '/operator/v1';

/** The reason of a call for the audit log, percent-encoded in UTF-8. */
export const REASON_HEADER = 'X-Foyer-Reason';

/** One JSON object per line. */
export const LINES_TYPE = 'application/x-ndjson';

/** Limits of one batch of an import. */
export const IMPORT_LIMITS = { lines: 1000, bytes: 2 * 1024 * 1024 } as const;

/** An account, without its password or password hash. */
export interface AccountAnswer {
  id: string;
  username: string;
  display_name: string;
  email: string | null;
  email_verified: boolean;
  picture: string | null;
  language: Locale | null;
  group_name: string | null;
  /** All groups of the account: `group_name`, if there is one, and further ones. */
  groups: string[];
  /** Attributes that the setting ACCOUNT_SCHEMA allows. */
  attributes: Readonly<Record<string, unknown>>;
  status: 'active' | 'disabled';
  /** Whether a second factor is required; null if MFA_POLICY decides. */
  second_factor: 'optional' | 'required' | null;
  created_at: string;
  updated_at: string;
}

/** The second factors of one kind, the passkeys or the recovery codes of an account. */
export interface FactorAnswer {
  /** Name of the kind, as in the audit log and in metrics. */
  name: string;
  /** Description for people, with the number of factors if there can be several. */
  label: string;
  count: number;
  /** The individual factors, oldest first; empty for recovery codes. */
  entries: FactorEntryAnswer[];
}

/** The results of a search for a text. */
export interface SearchAnswer {
  /** Exact matches first; at most 10. */
  accounts: AccountAnswer[];
  /** Whether more accounts match than are listed. */
  more_accounts: boolean;
  /** At most 50 events of a request, newest first, if the text is its id. */
  events: AuditEntryAnswer[];
  /** At most 5 clients at Hydra: by their id, then by their name. Empty if Hydra does not answer. */
  clients: FoundClientAnswer[];
}

/** A client that a search found. */
export interface FoundClientAnswer {
  id: string;
  name: string;
}

/** The result of removing one second factor or passkey. */
export interface FactorRemovedAnswer {
  removed: number;
}

/** One second factor or passkey. */
export interface FactorEntryAnswer {
  /** Null for a kind that an account can have only once. */
  id: string | null;
  name: string | null;
  created_at: string;
  /** Null if it has not been used since it was set up. */
  last_used_at: string | null;
  /** Whether a passkey can be synchronised to other devices; null for other kinds. */
  synced: boolean | null;
}

/** An account in a list. */
export interface ListedAccountAnswer extends AccountAnswer {
  /**
   * Id of the user source, issuer of the provider, or `scim:` and the id of the SCIM source, to which the account belongs; null if it
   * belongs to none.
   */
  source: string | null;
  /** Null if the person has never signed in. */
  last_sign_in_at: string | null;
}

/** An account with details that lists of accounts leave out. */
export interface AccountDetailAnswer extends ListedAccountAnswer {
  /** `sub` in the tokens of apps: the id of the account, unless a source with `"sub": "source"` or an import has set another one. */
  subject: string;
  factors: { totp: boolean; security_keys: number; recovery_codes_left: number; all: FactorAnswer[] };
  /** Until this time, credentials cannot be changed; null if they are not frozen. */
  credentials_frozen_until: string | null;
  /** When the account will be deleted; null if no deletion is scheduled. */
  deletion_due_at: string | null;
  /** Set while the account has to wait after wrong passwords or codes; otherwise null. */
  lock: AccountLockAnswer | null;
  /** Whether the account has a password of its own, which is not stored at a source. */
  has_password: boolean;
  /** A new password that is required at the next sign-in; null if none is. */
  required_password: AccountPasswordTaskAnswer | null;
  /** What the person has to do at the next sign-in, in this order, before an app is reached. */
  tasks: AccountTaskAnswer[];
  /** Whether the account signs in through its source without a password here, so that no link to a new password is sent. */
  password_elsewhere: boolean;
  /** Name of its source for people; null if it belongs to none. */
  source_name: string | null;
  /** Data that its SCIM source has sent; null if it belongs to none. */
  scim: AccountScimAnswer | null;
  /** Until when the mailed or handed-out link to a first password works; null without such a link, or with a password. */
  invitation_until: string | null;
  /** `request_id` in the audit log of the import that created the account; null if no import did. */
  import_request_id: string | null;
  /** Whether the rights of the requesting operator allow changes of the account at all. Changes of an operator's account require `admin`. */
  may_change: boolean;
}

/** Data that a SCIM source has sent about a person. */
export interface AccountScimAnswer {
  /** The id of the person in the source's system; null if the source sends none. */
  external_id: string | null;
  /** Whether the person is active according to the source. */
  active: boolean;
  /** Whether the source has disabled the account, so that it can also enable it again. */
  disabled_by_source: boolean;
  created_at: string;
  /** When the source last changed the person. */
  changed_at: string;
}

/** The wait of an account after wrong passwords or codes. */
export interface AccountLockAnswer {
  /**
   * Null if the wait does not end by itself. It ends when an operator unlocks the account, when a new password is set (after wrong
   * passwords), or when the factor is removed (after wrong codes of a factor).
   */
  until: string | null;
}

/** A scope and the claims that it releases. */
export interface ScopeClaimsAnswer {
  scope: string;
  /** Names of the claims. */
  claims: string[];
}

/** The claims about a person that a client receives if all its scopes are granted. */
export interface ClaimsAnswer {
  /** The scopes for which the client is registered. */
  scopes: ScopeClaimsAnswer[];
  /** Claims of the ID token and of userinfo. */
  id_token: Readonly<Record<string, unknown>>;
  /** Claims of the access token: in introspection, and under `ext` in a JWT. */
  access_token: Readonly<Record<string, unknown>>;
  /** Size of `id_token` and `access_token` as JSON, in bytes. */
  bytes: number;
  /** Maximum size in bytes; with more, consent is refused. */
  most_bytes: number;
}

/** A page of accounts, oldest first; with `signed_in_since` or `signed_in_before`, the latest sign-in first. */
export interface AccountListAnswer {
  accounts: ListedAccountAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/**
 * Whether Hydra has ended the sessions that the call ends, and the grants, if the call ends grants. The change in Foyer takes effect in
 * either case; see `end-access.ts`.
 */
export type UpstreamOutcome = 'ended' | 'unavailable';

/** The account after the change, and whether Hydra has ended its sessions and grants. */
export interface DisabledAnswer extends AccountAnswer {
  upstream: UpstreamOutcome;
}

/** A deleted account. Its events in the audit log are kept, and its username is reserved for some time. */
export interface DeletedAnswer {
  id: string;
  /** Number of ended sessions. */
  ended: number;
  upstream: UpstreamOutcome;
}

/** The account, and whether wrong passwords or codes had locked it or made it wait. */
export interface UnlockedAnswer extends AccountAnswer {
  was_locked: boolean;
}

/** The account, and whether a new password was required before. */
export interface RequiredPasswordAnswer extends AccountAnswer {
  was_required: boolean;
}

/** A new password that an account has to choose at the next sign-in with its password. */
export interface AccountPasswordTaskAnswer {
  /** Who requires it: an operator, the list of breached passwords, or the user source from which the current one was taken over. */
  reason: 'operator' | 'breached' | 'source';
  since: string;
}

/** What a person has to do at the next sign-in. `password`: only at a sign-in with the password. */
export interface AccountTaskAnswer {
  kind: 'terms' | 'password' | 'email' | 'fields' | 'factor';
  /** Id of the terms; null for every other kind. */
  terms: string | null;
  /** Version of the terms; null for every other kind. */
  version: string | null;
  /** The clients whose people have to accept the terms; null for every client, and for every other kind. */
  client_ids: string[] | null;
  /** Names of the missing attributes; empty for every other kind. */
  fields: string[];
  /** Until this time the person may postpone it; null if it cannot be postponed. */
  later_until: string | null;
}

/** The account, and the state of the person at its user source. */
export interface RefreshedAnswer extends AccountAnswer {
  /** Id of the user source. */
  source: string;
  source_state: 'active' | 'disabled' | 'gone';
  /** Null if no session had to be ended. */
  upstream: UpstreamOutcome | null;
}

/** The account, and the person of a user source or provider to whom it now belongs. */
export interface LinkedAnswer extends AccountAnswer {
  source: string;
  source_subject: string;
  upstream: UpstreamOutcome;
}

/** The account, and the person to whom it belonged. */
export interface UnlinkedAnswer extends LinkedAnswer {
  /** Whether anybody can sign in to the account: with a password, a passkey or a configured provider. */
  can_sign_in: boolean;
}

/** The account, and whether its credentials were frozen. */
export interface UnfrozenAnswer extends AccountAnswer {
  was_frozen: boolean;
}

/** A link for a contact person to hand out. It works once. */
export interface PasswordResetAnswer {
  url: string;
  expires_at: string;
}

/** A link that is sent to the e-mail address of the account. */
export interface MailedLinkAnswer {
  mailed_to: string;
  /** After this time the link no longer works, and a mail that has not been sent is discarded. */
  expires_at: string;
}

/** A token that removes all second factors, passkeys and recovery codes. It works once. */
export interface FactorResetAnswer extends PasswordResetAnswer {
  /** The token that `url` contains, to be read out. */
  token: string;
}

/** An external account with which a person signs in to an account. */
export interface ProviderAnswer {
  provider: string;
  /** Issuer of the provider. With `subject` it identifies the person. */
  issuer: string;
  subject: string;
  /** Name of the person at the provider, for display only. */
  label: string | null;
  connected_at: string;
  last_used_at: string | null;
}

/** The external accounts that are connected to an account. */
export interface ProvidersAnswer {
  providers: ProviderAnswer[];
}

/** An event of the audit log. */
export interface AuditEntryAnswer {
  id: string;
  at: string;
  /** Null for events of the installation, and for events of usernames that no account has. */
  account_id: string | null;
  /** The username of the account now; null without an account, or if it was deleted. */
  username: string | null;
  kind: string;
  /** `person`, `system`, `operator`, or `operator:` and the name of a token or the username of an operator. */
  actor: string;
  address: string | null;
  request_id: string | null;
  detail: Readonly<Record<string, string | number | boolean | string[]>> | null;
}

/** A page of the audit log, newest first. */
export interface AuditAnswer {
  entries: AuditEntryAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** The result for one line of an import. */
export interface ImportLineAnswer {
  /** Number of the line in the batch, from 1. */
  line: number;
  /**
   * `exists`: an account with this username exists and is not changed. `duplicate`: an earlier line has the same username, id, subject
   * or person.
   */
  result: 'created' | 'would_create' | 'exists' | 'duplicate' | 'invalid';
  username?: string;
  /** Id of the account that was created or already exists. */
  id?: string;
  /** Number of the earlier line, for a duplicate. */
  first_line?: number;
  /** The error of an invalid line, as other calls return it. */
  error?: string;
  message?: string;
  field?: string;
  pointer?: string;
  faults?: readonly string[];
}

/** An external account with which a person signs in to an account, in import format. */
export interface ExportedProviderAnswer {
  provider: string;
  issuer: string;
  subject: string;
  label?: string;
  connected_at: string;
}

/** One line of an export, in import format. Values that an account does not have are left out. */
export interface ExportLineAnswer {
  id: string;
  /** `sub` in the tokens of apps, if it is not the id. */
  subject?: string;
  username: string;
  display_name: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  language?: Locale;
  group_name?: string;
  /** Groups in addition to `group_name`. */
  groups?: string[];
  attributes?: Readonly<Record<string, unknown>>;
  status: 'active' | 'disabled';
  second_factor?: 'optional' | 'required';
  created_at: string;
  /** Only if requested. */
  password_hash?: string;
  /** Base32; only if requested. */
  totp_secret?: string;
  /** Names of second factors that need no secret. */
  factors?: string[];
  /** Id of the user source, issuer of the provider, or `scim:` and the id of the SCIM source, to which the account belongs. */
  source?: string;
  /** Id of the person at the source or provider; for a SCIM source, the `externalId`. */
  source_subject?: string;
  /** True if the password was copied from the source, which is no longer queried. */
  migrated?: boolean;
  /** In the order in which they were connected. */
  providers?: readonly ExportedProviderAnswer[];
}

/** The state of Foyer and of the systems that it needs. */
export interface HealthAnswer {
  status: 'ok' | 'unavailable';
  /** Whether the gateway accepts requests, as in `/health/ready`; true also during an outage of Hydra, if Hydra has answered before. */
  ready: boolean;
  /** The state of `database`, of `clock` (its difference from the clock of the database), and of `upstream` (Hydra). */
  parts: Record<string, 'ok' | 'unavailable'>;
}

/** The answer to every request that fails. */
export interface ErrorAnswer {
  /** Code for programs. */
  error: string;
  /** One English sentence for people. */
  message: string;
  /** The member or parameter with the fault. */
  field?: string;
  /** Where the fault is in the member, as a JSON Pointer (RFC 6901). */
  pointer?: string;
  /** All faults of a password, as names, or of a client, as sentences. */
  faults?: readonly string[];
}
