/**
 * What the operator API and its clients agree on: the address and the shapes of answers. Plain types without any of the
 * server's code, so that the CLI stays small. What a caller may send is in `account-bodies.ts`.
 */
import type { Locale } from '../contract/locale.js';

export const OPERATOR_API = '/operator/v1';

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
}

export interface AccountListAnswer {
  accounts: AccountAnswer[];
  /** For the `cursor` of the next call; absent on the last page. */
  next_cursor?: string;
}

/** Whether the upstream ended what it keeps of the person. When not, the own records decide already; see `end-access.ts`. */
export type UpstreamOutcome = 'ended' | 'unavailable';

export interface DisabledAnswer extends AccountAnswer {
  upstream: UpstreamOutcome;
}

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

export interface FactorResetAnswer extends PasswordResetAnswer {
  /** Part of the address already; for whoever reads it out. */
  token: string;
}

export interface AuditEntryAnswer {
  id: string;
  at: string;
  kind: string;
  actor: string;
  address: string | null;
  request_id: string | null;
  detail: Readonly<Record<string, string | number | boolean | string[]>> | null;
}

export interface AuditAnswer {
  entries: AuditEntryAnswer[];
  next_cursor?: string;
}

export interface HealthAnswer {
  status: 'ok' | 'unavailable';
  parts: Record<string, 'ok' | 'unavailable'>;
}

export interface ErrorAnswer {
  error: string;
  /** One English sentence. */
  message: string;
  /** The member or parameter that it is about. */
  field?: string;
  /** Everything that is wrong with a password, by name. */
  faults?: readonly string[];
}
