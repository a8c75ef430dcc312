/** The person's own data for download: the answer of the RPC call, and the file. */
import type { DeviceState, ManagedAppState, TrustedBrowserState } from './manage-state.js';
import type { FactorEntryState } from './mfa-state.js';

/** All times are ISO 8601, UTC. */
export interface OwnDataAnswer {
  account: {
    id: string;
    username: string;
    display_name: string;
    email: string | null;
    email_verified: boolean;
    picture: string | null;
    language: string | null;
    groups: string[];
    attributes: Readonly<Record<string, unknown>>;
    created_at: string;
    updated_at: string;
  };
  /** Addresses that the person replaced and that are still stored, newest first. */
  former_emails: { email: string; email_verified: boolean; kept_until: string }[];
  /** Null unless the account is about to be deleted. */
  deletion_due_at: string | null;
  /** One entry for each kind that the account has; `entries` is empty for recovery codes. */
  factors: { name: string; count: number; entries: FactorEntryState[] }[];
  providers: {
    provider: string;
    issuer: string;
    subject: string;
    label: string | null;
    connected_at: string;
    last_used_at: string | null;
  }[];
  /** The data that a system of the organisation has sent (SCIM, RFC 7643); null if none has sent any. */
  scim: {
    source: string;
    external_id: string | null;
    active: boolean;
    resource: Readonly<Record<string, unknown>>;
    groups: string[];
    created_at: string;
    modified_at: string;
  } | null;
  /** The terms that the person has accepted, newest first, with the texts as they were. */
  terms: {
    id: string;
    version: string;
    language: string;
    client: string;
    accepted_at: string;
    withdrawn_at: string | null;
    sha256: string;
    /** Absent if a newer acceptance in this list has the same `sha256`. */
    text?: string;
  }[];
  trusted_browsers: TrustedBrowserState[];
  devices: DeviceState[];
  apps: ManagedAppState[];
  /** There may be more apps. */
  apps_incomplete?: true;
  /** Events of the audit log, newest first. */
  events: {
    at: string;
    kind: string;
    by: 'person' | 'operator' | 'system';
    /**
     * Absent for an operator, and if it is not known. For an event that another person may have caused, such as a failed attempt,
     * only the network: `192.0.2.0/24`, `2001:db8:1::/48`.
     */
    address?: string;
    detail?: Readonly<Record<string, string | number | boolean | string[]>>;
  }[];
  events_incomplete?: true;
}
