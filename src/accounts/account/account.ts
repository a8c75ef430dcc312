/** An account as the product sees it, and what may be said about one when it is made or changed. */
import type { Locale } from '../../contract/locale.js';
import { isLocale } from '../../contract/locale.js';
import type { AccountRow } from '../../database/schema.js';

export interface Account {
  id: string;
  username: string;
  displayName: string;
  email?: string;
  emailVerified: boolean;
  picture?: string;
  language?: Locale;
  groupName?: string;
  status: 'active' | 'disabled';
  /** Absent: as the installation has it. */
  secondFactor?: 'optional' | 'required';
  createdAt: Date;
  updatedAt: Date;
}

export interface NewAccount {
  username: string;
  /** The username when it is left out. */
  displayName?: string;
  email?: string;
  emailVerified?: boolean;
  picture?: string;
  language?: Locale;
  groupName?: string;
  secondFactor?: 'optional' | 'required';
}

/** `null` takes a value away, an absent key leaves it. */
export interface AccountPatch {
  username?: string;
  displayName?: string;
  email?: string | null;
  /** A new address counts as not verified unless this says so. */
  emailVerified?: boolean;
  picture?: string | null;
  language?: Locale | null;
  groupName?: string | null;
  secondFactor?: 'optional' | 'required' | null;
}

export const ACCOUNT_COLUMNS = [
  'id',
  'username',
  'display_name',
  'email',
  'email_verified',
  'picture',
  'language',
  'group_name',
  'status',
  'second_factor',
  'created_at',
  'updated_at',
] as const;

export type AccountFields = Omit<
  AccountRow,
  'seq' | 'username_key' | 'email_key' | 'credentials_frozen_until' | 'access_ended_at'
>;

export function toAccount(row: AccountFields): Account {
  return {
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    ...(row.email === null ? {} : { email: row.email }),
    emailVerified: row.email_verified,
    ...(row.picture === null ? {} : { picture: row.picture }),
    ...(isLocale(row.language) ? { language: row.language } : {}),
    ...(row.group_name === null ? {} : { groupName: row.group_name }),
    status: row.status,
    ...(row.second_factor === null ? {} : { secondFactor: row.second_factor }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Ids come from requests and other systems; PostgreSQL would throw on a malformed one. */
export function isAccountId(id: unknown): id is string {
  return typeof id === 'string' && UUID.test(id);
}
