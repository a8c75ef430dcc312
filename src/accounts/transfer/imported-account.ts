/** Validates one imported account and converts it to columns. */
import type { AccountRow } from '../../database/schema.js';
import type { AccountAttributes } from '../attributes/account-attributes.js';
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
  /** Identities for sign-in, at most one for each provider. */
  identities?: readonly ImportedIdentity[];
}

/** Columns of the account, and values for other tables. */
export interface CheckedImport extends Omit<Partial<AccountRow>, 'attributes'> {
  /** As JSON text. */
  attributes?: string;
  username: string;
  username_key: string;
  display_name: string;
  hash: ForeignHash | null;
  identities: readonly CheckedIdentity[];
}

/** @throws AccountFieldInvalid, AttributeInvalid */
export function checkImport(given: ImportedAccount, attributes: AccountAttributes): CheckedImport {
  const { id, status, createdAt, passwordHash, identities = [], ...account } = given;
  return {
    ...columnsOfNew(account),
    ...attributes.columnsOfNew(account),
    ...(id === undefined ? {} : { id: checkId(id) }),
    ...(status === undefined ? {} : { status: checkStatus(status) }),
    ...(createdAt === undefined ? {} : { created_at: checkInstant('createdAt', createdAt) }),
    hash: passwordHash === undefined ? null : checkHash(passwordHash),
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
