/** What a person may download of their own: the answer of the RPC call, and the file. */
import type { DeviceState, ManagedAppState, TrustedBrowserState } from './manage-state.js';
import type { FactorEntryState } from './mfa-state.js';

/** Moments: ISO 8601, UTC. */
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
  /** By kind; recovery codes have a count only. */
  factors: { name: string; count: number; entries: FactorEntryState[] }[];
  providers: {
    provider: string;
    issuer: string;
    subject: string;
    label: string | null;
    connected_at: string;
    last_used_at: string | null;
  }[];
  trusted_browsers: TrustedBrowserState[];
  devices: DeviceState[];
  apps: ManagedAppState[];
  /** There are more than were read. */
  apps_incomplete?: true;
  /** Of the audit log, newest first. */
  events: {
    at: string;
    kind: string;
    by: 'person' | 'operator' | 'system';
    address?: string;
    detail?: Readonly<Record<string, string | number | boolean | string[]>>;
  }[];
  events_incomplete?: true;
}
