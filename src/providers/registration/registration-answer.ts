/** Reads the verified answer of the registration service, which `docs/registration.md` describes. */
import type { JWTPayload } from 'jose';
import { AnswerRefused } from './registration.errors.js';

/** The fields of a new account. They are validated when the account is created. */
export interface RegisteredPerson {
  username: unknown;
  displayName?: unknown;
  email?: unknown;
  emailVerified?: unknown;
  language?: unknown;
  groupName?: unknown;
  groups?: unknown;
  attributes?: unknown;
}

export type RegistrationAnswer = { issuedAt: Date } & (
  | { kind: 'new'; person: RegisteredPerson }
  | { kind: 'existing'; accountId: string }
  | { kind: 'cancelled' }
);

/** Names of the account's fields in the answer. */
const WIRE_NAMES = {
  username: 'username',
  displayName: 'display_name',
  email: 'email',
  emailVerified: 'email_verified',
  language: 'language',
  groupName: 'group_name',
  groups: 'groups',
  attributes: 'attributes',
} as const;

/** @throws AnswerRefused unless the answer contains exactly one of the three results. Its `sub` and the fields of its account are not checked */
export function readAnswer({ iat = 0, sub, account, error }: JWTPayload): RegistrationAnswer {
  const issuedAt = new Date(iat * 1000);
  if ([sub, account, error].filter((member) => member !== undefined).length !== 1) {
    throw new AnswerRefused('exactly one of account, sub and error is required');
  }
  if (sub !== undefined) return { kind: 'existing', accountId: sub, issuedAt };
  if (error === 'cancelled') return { kind: 'cancelled', issuedAt };
  if (typeof account !== 'object' || account === null || Array.isArray(account)) {
    throw new AnswerRefused(error === undefined ? 'its account is not an object' : 'its error is unknown');
  }
  return { kind: 'new', person: toPerson(account as Record<string, unknown>), issuedAt };
}

/** @returns the name of an account's field in the answer */
export function toWireName(field: string): string {
  return (WIRE_NAMES as Readonly<Record<string, string>>)[field] ?? field;
}

function toPerson(account: Record<string, unknown>): RegisteredPerson {
  const fields = Object.entries(WIRE_NAMES).flatMap(([name, wire]) => {
    const value = account[wire];
    // An empty optional field is treated as absent.
    const isAbsent = value === undefined || value === null || (value === '' && name !== 'username');
    return isAbsent ? [] : [[name, value] as const];
  });
  const { username = '', emailVerified, ...rest } = Object.fromEntries(fields);
  const isKnown = emailVerified !== undefined && rest['email'] !== undefined;
  return { username, ...rest, ...(isKnown ? { emailVerified } : {}) };
}
