/** The account, and the values with which an account is created and updated. */
import { sql, type RawBuilder } from 'kysely';
import type { Locale } from '../../contract/locale.js';
import type { AccountRow } from '../../database/schema.js';

/** A JSON object that satisfies `ACCOUNT_SCHEMA`. */
export type Attributes = Readonly<Record<string, unknown>>;

export interface Account {
  id: string;
  username: string;
  displayName: string;
  email?: string;
  emailVerified: boolean;
  picture?: string;
  language?: Locale;
  groupName?: string;
  /** All groups: `groupName`, if there is one, and the others. */
  groups: readonly string[];
  attributes: Attributes;
  status: 'active' | 'disabled';
  /** If absent, the setting of the installation applies. */
  secondFactor?: 'optional' | 'required';
  /** A new password that is required at the next sign-in with the password. */
  requiredPassword?: RequiredPassword;
  /** Whether a user source, a SCIM source or a provider that provisions accounts owns address and attributes. */
  hasSource?: true;
  /** Accepted versions of terms, by the id of the terms; absent if none was accepted. */
  acceptedTerms?: Readonly<Record<string, readonly string[]>>;
  createdAt: Date;
  updatedAt: Date;
  /** Request id of the import that created the account; the audit event of the import has the same request id. */
  importRequestId?: string;
}

/**
 * Who requires a new password: an operator, the list of breached passwords, which contains the current one, or the user source from which
 * the current one was taken over.
 */
export interface RequiredPassword {
  reason: 'operator' | 'breached' | 'source';
  since: Date;
}

export interface NewAccount {
  username: string;
  /** Defaults to the username. */
  displayName?: string;
  email?: string;
  emailVerified?: boolean;
  picture?: string;
  language?: Locale;
  groupName?: string;
  groups?: readonly string[];
  attributes?: Attributes;
  secondFactor?: 'optional' | 'required';
  /** The subject of the account at Hydra (`account-subjects.ts`). Default: the id of the account. */
  subject?: string;
}

/** `null` removes a value; an absent key leaves the value unchanged. */
export interface AccountPatch {
  username?: string;
  displayName?: string;
  email?: string | null;
  /** A new address is unverified unless this is true. */
  emailVerified?: boolean;
  picture?: string | null;
  language?: Locale | null;
  groupName?: string | null;
  /** Replaces the groups other than `groupName`. */
  groups?: readonly string[];
  /** Null removes an attribute; an absent attribute stays unchanged. */
  attributes?: Attributes;
  secondFactor?: 'optional' | 'required' | null;
}

const ACCOUNT_COLUMNS = [
  'id',
  'username',
  'display_name',
  'email',
  'email_verified',
  'picture',
  'language',
  'group_name',
  'groups',
  'attributes',
  'status',
  'second_factor',
  'password_change_required_at',
  'password_change_reason',
  'accepted_terms',
  'created_at',
  'updated_at',
  'import_request_id',
] as const;

/**
 * Whether the account belongs to a source, which therefore owns its details. A sub-select reads this, because a migration that added a
 * column would lock the table while it writes all accounts. `exists` is not used, because the planner may read all of `source_account`
 * for it.
 */
const hasSourceSql = (table: string): RawBuilder<boolean> =>
  sql<boolean>`((select true from source_account linked where linked.account_id = ${sql.ref(`${table}.id`)}) is true)`;

/** What an insert or update of the table `account` returns. */
export const RETURNED_COLUMNS = [...ACCOUNT_COLUMNS, hasSourceSql('account').as('has_source')] as const;

/** SQL of `AccountFields`. @param table alias of the table `account` in the statement */
export function accountColumns(table: string): RawBuilder<AccountFields> {
  const columns = sql.join(ACCOUNT_COLUMNS.map((column) => sql.ref(`${table}.${column}`)));
  return sql<AccountFields>`${columns}, ${hasSourceSql(table)} as has_source`;
}

export type AccountFields = Omit<
  AccountRow,
  | 'seq'
  | 'username_key'
  | 'looked_username'
  | 'email_key'
  | 'credentials_frozen_until'
  | 'access_ended_at'
  | 'passkey_offer_refused_at'
  | 'trust_ended_at'
  | 'present_person_since'
> & { has_source: boolean };

export function toAccount(row: AccountFields): Account {
  return {
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    ...(row.email === null ? {} : { email: row.email }),
    emailVerified: row.email_verified,
    ...(row.picture === null ? {} : { picture: row.picture }),
    ...(row.language === null ? {} : { language: row.language }),
    ...(row.group_name === null ? {} : { groupName: row.group_name }),
    groups: [...new Set([...(row.group_name === null ? [] : [row.group_name]), ...row.groups])],
    attributes: row.attributes,
    status: row.status,
    ...(row.second_factor === null ? {} : { secondFactor: row.second_factor }),
    ...toRequiredPassword(row),
    ...(row.has_source ? { hasSource: true as const } : {}),
    ...(Object.keys(row.accepted_terms).length === 0 ? {} : { acceptedTerms: row.accepted_terms }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.import_request_id === null ? {} : { importRequestId: row.import_request_id }),
  };
}

function toRequiredPassword({
  password_change_required_at: requiredSince,
  password_change_reason: reason,
}: Pick<AccountFields, 'password_change_required_at' | 'password_change_reason'>): Pick<Account, 'requiredPassword'> {
  return requiredSince === null || reason === null ? {} : { requiredPassword: { reason, since: requiredSince } };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Ids come from requests and other systems; PostgreSQL rejects a malformed UUID with an error. */
export function isAccountId(id: unknown): id is string {
  return typeof id === 'string' && UUID.test(id);
}
