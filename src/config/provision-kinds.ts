/**
 * Members of an entry of `OIDC_PROVIDERS` that determine who may sign in, whether unknown people receive an account at their first
 * sign-in, and which claims fill the account (docs/people.md).
 */
import { findUnknownAttributes } from './account-schema.js';
import type { AccountSchema, ProviderSettings } from './value-types.js';
import { defined } from './defined.js';
import type { ProvisionSettings, RequiredClaim } from './provision-settings.js';
import type { EntryFault } from './json-list.js';
import { SUBJECT_CHOICES, SUBJECT_PREFIX } from './subject-settings.js';
import { isObject } from './settings-kinds.js';

const MAPPED_MEMBERS = ['username', 'display_name', 'email', 'groups'] as const;
const FLAGS = ['email_verified', 'group_name'] as const;
const MAX_NAME_LENGTH = 200;
const MAX_ATTRIBUTES = 50;
const MAX_CLAIMS = 20;
const MAX_VALUES = 250;

const MAPPING = [...MAPPED_MEMBERS, ...FLAGS, 'attributes', 'sub', 'sub_prefix'] as const;

export const PROVISION_MEMBERS = ['provision', 'require', ...MAPPING] as const;

/** The members of an entry without faults. */
export interface ProvisionEntry {
  provision?: boolean;
  require?: Record<string, RequiredClaim['values'][number] | RequiredClaim['values']>;
  username?: string;
  display_name?: string;
  email?: string;
  email_verified?: boolean;
  groups?: string;
  group_name?: boolean;
  attributes?: Record<string, string>;
  sub?: (typeof SUBJECT_CHOICES)[number];
  sub_prefix?: string;
}

export const PROVISION_FAULTS: readonly EntryFault[] = [
  { text: 'has a provision that is neither true nor false', applies: ({ provision }) => !isFlag(provision) },
  {
    text: `has claims for an account (${MAPPING.join(', ')}) without "provision": true`,
    applies: (entry) => entry['provision'] !== true && MAPPING.some((member) => entry[member] !== undefined),
  },
  ...MAPPED_MEMBERS.map((member) => ({
    text: `has a ${member} that is neither the name of a claim nor a JSON Pointer`,
    applies: (entry: Readonly<Record<string, unknown>>) => entry[member] !== undefined && !isClaimName(entry[member]),
  })),
  ...FLAGS.map((member) => ({
    text: `has a ${member} that is neither true nor false`,
    applies: (entry: Readonly<Record<string, unknown>>) => !isFlag(entry[member]),
  })),
  {
    text: 'has an email_verified without the claim email: the claim email_verified of a provider refers only to the claim email (OpenID Connect Core, section 5.1)',
    applies: (entry) => entry['email_verified'] === true && (entry['email'] ?? 'email') !== 'email',
  },
  { text: 'has a group_name without groups', applies: (entry) => entry['group_name'] === true && entry['groups'] === undefined },
  {
    text: `has attributes that are not an object of at most ${MAX_ATTRIBUTES} names of claims`,
    applies: ({ attributes }) => attributes !== undefined && !isAttributes(attributes),
  },
  {
    text: 'has a sub that is neither account nor source',
    applies: ({ sub = 'account' }) => !SUBJECT_CHOICES.some((option) => option === sub),
  },
  {
    text: `has a sub_prefix that ${SUBJECT_PREFIX.fault}, or that is set without "sub": "source"`,
    applies: ({ sub, sub_prefix: prefix }) =>
      prefix !== undefined && (sub !== 'source' || typeof prefix !== 'string' || !SUBJECT_PREFIX.isValid(prefix)),
  },
  {
    text: 'has a require that is not an object of claims, each with a string, number, boolean or list of them',
    applies: ({ require }) => require !== undefined && !areRequiredClaims(require),
  },
];

export function toProvision(entry: ProvisionEntry): Pick<ProviderSettings, 'provision' | 'require'> {
  const requiredClaims = Object.entries(entry.require ?? {}).map(([claim, values]) => ({ claim, values: [values].flat() }));
  return {
    ...(requiredClaims.length > 0 ? { require: requiredClaims } : {}),
    ...(entry.provision === true ? { provision: toMapping(entry) } : {}),
  };
}

/** @returns a fault for each attribute that no account can have */
export function findProvisionFaults(providers: readonly ProviderSettings[], schema?: AccountSchema): string[] {
  return providers.flatMap(({ id, provision }) =>
    findUnknownAttributes(Object.keys(provision?.attributes ?? {}), schema).map(
      (name) => `OIDC_PROVIDERS: the attribute ${JSON.stringify(name)} of ${id} is not in ACCOUNT_SCHEMA`,
    ),
  );
}

function toMapping(entry: ProvisionEntry): ProvisionSettings {
  return {
    username: entry.username ?? 'preferred_username',
    displayName: entry.display_name ?? 'name',
    email: entry.email ?? 'email',
    emailVerified: entry.email_verified === true,
    ...defined({ groups: entry.groups }),
    groupName: entry.group_name === true,
    attributes: entry.attributes ?? {},
    ...(entry.sub === 'source' ? { subjectPrefix: entry.sub_prefix ?? '' } : {}),
  };
}

/** A claim may have any name; a name that begins with a slash is a JSON Pointer (RFC 6901). */
function isClaimName(name: unknown): boolean {
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) return false;
  return !name.startsWith('/') || !/~(?![01])/.test(name);
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function isAttributes(value: unknown): boolean {
  if (!isObject(value)) return false;
  const claims = Object.values(value);
  return claims.length <= MAX_ATTRIBUTES && claims.every(isClaimName);
}

/** An empty object would admit everybody, and an empty list nobody. */
function areRequiredClaims(value: unknown): boolean {
  if (!isObject(value)) return false;
  const claims = Object.entries(value);
  return (
    claims.length > 0 && claims.length <= MAX_CLAIMS && claims.every(([claim, values]) => isClaimName(claim) && areValues(values))
  );
}

function areValues(value: unknown): boolean {
  const values: unknown[] = [value].flat();
  return (
    values.length > 0 &&
    values.length <= MAX_VALUES &&
    values.every((entry) => ['string', 'number', 'boolean'].includes(typeof entry))
  );
}
