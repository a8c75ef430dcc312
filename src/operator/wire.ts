/**
 * What the operator API and its clients agree on: the address and the shapes of answers. Plain types without any of the
 * server's code, so that the CLI stays small. What a client may send is in `account-bodies.ts`.
 */
import type { Locale } from '../contract/locale.js';

export const OPERATOR_API = '/operator/v1';

/** One JSON object a line. */
export const LINES_TYPE = 'application/x-ndjson';

/** Of one batch. */
export const IMPORT_LIMITS = { lines: 1000, bytes: 2 * 1024 * 1024 } as const;

/** Never carries anything of a password. */
export interface AccountAnswer {
  id: string;
  username: string;
  display_name: string;
  email: string | null;
  email_verified: boolean;
  picture: string | null;
  language: Locale | null;
  group_name: string | null;
  status: 'active' | 'disabled';
  /** Null: as the installation has it. */
  second_factor: 'optional' | 'required' | null;
  created_at: string;
  updated_at: string;
}

/** What showing one account says beyond a list of them. */
export interface AccountDetailAnswer extends AccountAnswer {
  factors: { totp: boolean; security_keys: number; recovery_codes_left: number };
  /** Until then nothing that the person signs in with can be changed; null when it can. */
  credentials_frozen_until: string | null;
}

/** A page of accounts, the oldest first. */
export interface AccountListAnswer {
  accounts: AccountAnswer[];
  /** For the `cursor` of the next call; absent on the last page. */
  next_cursor?: string;
}

/** Whether the upstream ended what it keeps of the person. When not, the own records decide already; see `end-access.ts`. */
export type UpstreamOutcome = 'ended' | 'unavailable';

/** The account as it is now, and what became of its sessions and grants at the upstream. */
export interface DisabledAnswer extends AccountAnswer {
  upstream: UpstreamOutcome;
}

/** The account, and whether wrong passwords or codes held it up or had stopped it until now. */
export interface UnlockedAnswer extends AccountAnswer {
  was_locked: boolean;
}

/** The account, and whether its credentials could not be changed until now. */
export interface UnfrozenAnswer extends AccountAnswer {
  was_frozen: boolean;
}

/** A sign-in of a browser, or a session of the account area. */
export interface SessionAnswer {
  id: string;
  kind: 'sign_in' | 'account_area';
  began_at: string;
  /** Of the account area, to the minute. */
  seen_at: string | null;
  expires_at: string;
  /** How the person was proven; of a sign-in. */
  acr: string | null;
  amr: string[];
  /** The client whose access token opened the account area. */
  client_id: string | null;
}

/** Where a person is signed in. */
export interface SessionListAnswer {
  /** Newest first. */
  sessions: SessionAnswer[];
}

/** What ended. */
export interface SessionsAnswer {
  /** How many sessions ended here. */
  ended: number;
  upstream: UpstreamOutcome;
}

/** What a contact person hands out. It works once. */
export interface PasswordResetAnswer {
  url: string;
  expires_at: string;
}

/** What takes all second factors away. It works once. */
export interface FactorResetAnswer extends PasswordResetAnswer {
  /** Part of the address already; for whoever reads it out. */
  token: string;
}

/** An external account that signs in to an account. */
export interface ProviderAnswer {
  provider: string;
  /** What names the person there; nobody is found by anything else. */
  issuer: string;
  subject: string;
  /** As the provider calls them: for eyes only. */
  label: string | null;
  connected_at: string;
  last_used_at: string | null;
}

/** What is connected to an account. */
export interface ProvidersAnswer {
  providers: ProviderAnswer[];
}

/** One event. */
export interface AuditEntryAnswer {
  id: string;
  at: string;
  /** Null where nobody of that name exists, and for what concerns the installation. */
  account_id: string | null;
  kind: string;
  actor: string;
  address: string | null;
  request_id: string | null;
  detail: Readonly<Record<string, string | number | boolean | string[]>> | null;
}

/** A page of the audit log, the newest first. */
export interface AuditAnswer {
  entries: AuditEntryAnswer[];
  /** For the `cursor` of the next call; absent on the last page. */
  next_cursor?: string;
}

/** What became of one line of an import. */
export interface ImportLineAnswer {
  /** Of the batch, from 1 on. */
  line: number;
  /** `exists`: an account of this name is there, and stays as it is. `duplicate`: an earlier line has this name or id. */
  result: 'created' | 'would_create' | 'exists' | 'duplicate' | 'invalid';
  username?: string;
  /** Of the account that was made, or is there. */
  id?: string;
  /** Of a duplicate. */
  first_line?: number;
  /** Of an invalid line: what other calls answer as their error. */
  error?: string;
  message?: string;
  field?: string;
  faults?: readonly string[];
}

/** An external account that signs in to an account, in the form of an import. */
export interface ExportedProviderAnswer {
  provider: string;
  issuer: string;
  subject: string;
  label?: string;
  connected_at: string;
}

/** One line of an export, which an import takes as it is. Values that an account does not have are left out. */
export interface ExportLineAnswer {
  id: string;
  username: string;
  display_name: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  language?: Locale;
  group_name?: string;
  status: 'active' | 'disabled';
  second_factor?: 'optional' | 'required';
  created_at: string;
  /** When it was asked for. */
  password_hash?: string;
  /** Base32; when it was asked for. */
  totp_secret?: string;
  /** The one that was connected first is first. */
  providers?: readonly ExportedProviderAnswer[];
}

/** How the parts are. */
export interface HealthAnswer {
  status: 'ok' | 'unavailable';
  parts: Record<string, 'ok' | 'unavailable'>;
}

/** Every refusal. */
export interface ErrorAnswer {
  /** For machines. */
  error: string;
  /** One English sentence. */
  message: string;
  /** The member or parameter that it is about. */
  field?: string;
  /** Everything that is wrong with a password, by name. */
  faults?: readonly string[];
}
