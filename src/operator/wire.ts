/**
 * Addresses and answer types that the operator API and its clients share. Types only, without server code, so that
 * the CLI stays small. The types of requests are in `account-bodies.ts`.
 */
import type { Locale } from '../contract/locale.js';

export const OPERATOR_API = '/operator/v1';

/** One JSON object per line. */
export const LINES_TYPE = 'application/x-ndjson';

/** Limits of one batch. */
export const IMPORT_LIMITS = { lines: 1000, bytes: 2 * 1024 * 1024 } as const;

/** Never contains a password or its hash. */
export interface AccountAnswer {
  id: string;
  username: string;
  display_name: string;
  email: string | null;
  email_verified: boolean;
  picture: string | null;
  language: Locale | null;
  group_name: string | null;
  /** `group_name`, if there is one, and the others. */
  groups: string[];
  /** As the setting ACCOUNT_SCHEMA allows them. */
  attributes: Readonly<Record<string, unknown>>;
  status: 'active' | 'disabled';
  /** Null: the installation's default applies. */
  second_factor: 'optional' | 'required' | null;
  created_at: string;
  updated_at: string;
}

/** A kind of second factor that an account has. */
export interface FactorAnswer {
  /** As the audit log and metrics name it. */
  name: string;
  /** In words: that there is one, or how many. */
  label: string;
  count: number;
  /** Each of them, the oldest first; none of recovery codes. */
  entries: FactorEntryAnswer[];
}

/** One second factor, security key or passkey. */
export interface FactorEntryAnswer {
  /** Null for a kind of which an account has one at most. */
  id: string | null;
  name: string | null;
  created_at: string;
  /** Null if it has proven nothing since its set-up. */
  last_used_at: string | null;
  /** Whether a passkey may be on further devices. Null for other kinds. */
  synced: boolean | null;
}

/** What showing one account says beyond a list of them. */
export interface AccountDetailAnswer extends AccountAnswer {
  /** `sub` in the tokens of apps: the id, or what a source with `"sub": "source"` calls the person. */
  subject: string;
  /** Id of the user source that the account belongs to, or issuer of the provider; null for an account of its own. */
  source: string | null;
  factors: { totp: boolean; security_keys: number; recovery_codes_left: number; all: FactorAnswer[] };
  /** Until then nothing that the person signs in with can be changed; null when it can. */
  credentials_frozen_until: string | null;
  /** When the account will be deleted; null if it will not. */
  deletion_due_at: string | null;
  /** The import that made the account: `request_id` of its event in the audit log. Null for other accounts. */
  import_request_id: string | null;
}

/** What there is behind one scope. */
export interface ScopeClaimsAnswer {
  scope: string;
  /** Names of claims. */
  claims: string[];
}

/** The claims of a person for a client that is granted all its scopes. */
export interface ClaimsAnswer {
  /** As the client is registered. */
  scopes: ScopeClaimsAnswer[];
  /** Also in userinfo. */
  id_token: Readonly<Record<string, unknown>>;
  /** In introspection and in JWTs below `ext`. */
  access_token: Readonly<Record<string, unknown>>;
  /** Length of both as JSON. */
  bytes: number;
  /** With more nothing is granted. */
  most_bytes: number;
}

/** A page of accounts, oldest first. */
export interface AccountListAnswer {
  accounts: AccountAnswer[];
  /** The `cursor` for the next call; absent on the last page. */
  next_cursor?: string;
}

/**
 * Whether the upstream has ended its sessions and grants of the person. Foyer's own records take effect in any case;
 * see `end-access.ts`.
 */
export type UpstreamOutcome = 'ended' | 'unavailable';

/** The account after the change, and the state of its sessions and grants at the upstream. */
export interface DisabledAnswer extends AccountAnswer {
  upstream: UpstreamOutcome;
}

/** What is left of an account: its events in the audit log. */
export interface DeletedAnswer {
  id: string;
  /** Number of ended sessions. */
  ended: number;
  upstream: UpstreamOutcome;
}

/** The account, and whether wrong passwords or codes had locked or delayed it. */
export interface UnlockedAnswer extends AccountAnswer {
  was_locked: boolean;
}

/** The account, and what its source says of the person. */
export interface RefreshedAnswer extends AccountAnswer {
  /** Id of the source. */
  source: string;
  source_state: 'active' | 'disabled' | 'gone';
  /** Null: nothing had to end. */
  upstream: UpstreamOutcome | null;
}

/** The account, and the person of a source or provider to whom it belongs from now on. */
export interface LinkedAnswer extends AccountAnswer {
  source: string;
  source_subject: string;
  upstream: UpstreamOutcome;
}

/** The account, and the person to whom it belonged. */
export interface UnlinkedAnswer extends LinkedAnswer {
  /** It has a password, or an identity at a provider that is configured. */
  can_sign_in: boolean;
}

/** The account, and whether its credentials were frozen. */
export interface UnfrozenAnswer extends AccountAnswer {
  was_frozen: boolean;
}

/** A link that a contact person passes on. It works once. */
export interface PasswordResetAnswer {
  url: string;
  expires_at: string;
}

/** A link that is on its way to the address of the account. */
export interface MailedLinkAnswer {
  mailed_to: string;
  /** After this time the link does not work, and the mail is not sent. */
  expires_at: string;
}

/** A token that removes all second factors. It works once. */
export interface FactorResetAnswer extends PasswordResetAnswer {
  /** Also part of the address; for reading it aloud. */
  token: string;
}

/** An external account that signs in to an account. */
export interface ProviderAnswer {
  provider: string;
  /** Identifies the person at the provider; the only value used for lookups. */
  issuer: string;
  subject: string;
  /** Name at the provider; for display only. */
  label: string | null;
  connected_at: string;
  last_used_at: string | null;
}

/** External accounts connected to an account. */
export interface ProvidersAnswer {
  providers: ProviderAnswer[];
}

/** One event. */
export interface AuditEntryAnswer {
  id: string;
  at: string;
  /** Null if no account has that name, and for events of the whole installation. */
  account_id: string | null;
  kind: string;
  /** `person`, `system`, `operator`, or `operator:` and the name of a token. */
  actor: string;
  address: string | null;
  request_id: string | null;
  detail: Readonly<Record<string, string | number | boolean | string[]>> | null;
}

/** A page of the audit log, newest first. */
export interface AuditAnswer {
  entries: AuditEntryAnswer[];
  /** The `cursor` for the next call; absent on the last page. */
  next_cursor?: string;
}

/** Result of one line of an import. */
export interface ImportLineAnswer {
  /** Within the batch, from 1. */
  line: number;
  /** `exists`: an account of this name exists and is not changed. `duplicate`: an earlier line has this name, id, subject or person. */
  result: 'created' | 'would_create' | 'exists' | 'duplicate' | 'invalid';
  username?: string;
  /** Id of the account that was created or already exists. */
  id?: string;
  /** For a duplicate. */
  first_line?: number;
  /** For an invalid line: the same error that other calls return. */
  error?: string;
  message?: string;
  field?: string;
  pointer?: string;
  faults?: readonly string[];
}

/** An external account that signs in to an account, in import format. */
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
  /** `sub` in the tokens of apps, where it is not the id. */
  subject?: string;
  username: string;
  display_name: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  language?: Locale;
  group_name?: string;
  /** Groups beside `group_name`. */
  groups?: string[];
  attributes?: Readonly<Record<string, unknown>>;
  status: 'active' | 'disabled';
  second_factor?: 'optional' | 'required';
  created_at: string;
  /** If requested. */
  password_hash?: string;
  /** Base32; if requested. */
  totp_secret?: string;
  /** Names of second factors that need no secret. */
  factors?: string[];
  /** Id of the user source that the account belongs to, or issuer of the provider. */
  source?: string;
  /** Id of the person there. */
  source_subject?: string;
  /** The password was taken over from the source: the account is one of its own. */
  migrated?: boolean;
  /** The one that was connected first is first. */
  providers?: readonly ExportedProviderAnswer[];
}

/** State of the parts. */
export interface HealthAnswer {
  status: 'ok' | 'unavailable';
  /** Whether the gateway takes requests, as `/health/ready` says: also during an outage of Hydra. */
  ready: boolean;
  parts: Record<string, 'ok' | 'unavailable'>;
}

/** Every error answer. */
export interface ErrorAnswer {
  /** For programs. */
  error: string;
  /** One English sentence. */
  message: string;
  /** The member or parameter concerned. */
  field?: string;
  /** Where in the member the fault is: JSON Pointer (RFC 6901). */
  pointer?: string;
  /** All faults of a password, by name. */
  faults?: readonly string[];
}
