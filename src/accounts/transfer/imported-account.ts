/** Validates one imported account and converts it to columns. */
import type { AccountRow } from '../../database/schema.js';
import { columnsOfNew } from '../account/columns.js';
import { AccountFieldInvalid } from '../account/account.errors.js';
import { checkInstant, checkStatus } from '../account/fields.js';
import { isAccountId } from '../account/account.js';
import type { NewAccount } from '../account/account.js';
import { HashRefused, readForeignHash } from '../password/foreign-hash.js';
import type { ForeignHash } from '../password/foreign-hash.js';
import { checkIdentities } from '../identities/imported-identities.js';
import type { CheckedIdentity, ImportedIdentity } from '../identities/imported-identities.js';

export interface ImportedAccount extends NewAccount {
  /** The subject that apps know; generated if absent. */
  id?: string;
  status?: string;
  /** ISO 8601 with time zone. */
  createdAt?: string;
  /** In one of the formats of `foreign-hash.ts`. */
  passwordHash?: string;
  /** Base32 seed of an authenticator app: SHA-1, six digits, 30 seconds. */
  totpSecret?: string;
  /** Identities for sign-in, one for each provider. */
  identities?: readonly ImportedIdentity[];
}

/** Columns of the account, and values for other tables. */
export interface CheckedImport extends Partial<AccountRow> {
  username: string;
  username_key: string;
  display_name: string;
  hash: ForeignHash | null;
  seed: string | null;
  identities: readonly CheckedIdentity[];
}

/** RFC 4226, section 4, R6: at least 128 bits. Above 512 bits HMAC hashes the key first, which apps handle differently. */
const SEED = /^[A-Z2-7]{26,103}$/;

/** @throws AccountFieldInvalid */
export function checkImport(given: ImportedAccount): CheckedImport {
  const { id, status, createdAt, passwordHash, totpSecret, identities = [], ...account } = given;
  return {
    ...columnsOfNew(account),
    ...(id === undefined ? {} : { id: checkId(id) }),
    ...(status === undefined ? {} : { status: checkStatus(status) }),
    ...(createdAt === undefined ? {} : { created_at: checkInstant('createdAt', createdAt) }),
    hash: passwordHash === undefined ? null : checkHash(passwordHash),
    seed: totpSecret === undefined ? null : checkSeed(totpSecret),
    identities: checkIdentities(identities),
  };
}

function checkId(given: string): string {
  if (!isAccountId(given)) throw new AccountFieldInvalid('id', 'format', 'id has to be a UUID.');
  return given.toLowerCase();
}

function checkHash(given: string): ForeignHash {
  try {
    return readForeignHash(given);
  } catch (error) {
    if (!(error instanceof HashRefused)) throw error;
    throw new AccountFieldInvalid('passwordHash', error.isKnown ? 'too-costly' : 'format', `passwordHash ${error.message}`);
  }
}

function checkSeed(given: string): string {
  const seed = given.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase();
  // Base32 of whole bytes never has these lengths.
  if (SEED.test(seed) && ![1, 3, 6].includes(seed.length % 8)) return seed;
  throw new AccountFieldInvalid('totpSecret', 'format', 'totpSecret has to be base32 of 16 to 64 bytes.');
}
