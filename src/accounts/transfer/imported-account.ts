/** Validates one imported account and converts it to columns. */
import type { AccountRow } from '../../database/schema.js';
import type { AccountAttributes } from '../attributes/account-attributes.js';
import { toNewColumns } from '../account/columns.js';
import { AccountFieldInvalid } from '../account/account.errors.js';
import { checkInstant, checkStatus } from '../account/fields.js';
import { isAccountId, type NewAccount } from '../account/account.js';
import { toAccountId } from '../account/account-subjects.js';
import { HashRefused, readForeignHash, type ForeignHash } from '../password/foreign-hash.js';
import { checkIdentities, type CheckedIdentity, type ImportedIdentity } from '../identities/imported-identities.js';
import { checkPerson, type ImportedLinks, type ImportedPerson } from './imported-people.js';
import { defined } from '../../config/defined.js';

export interface ImportedAccount extends NewAccount {
  /** If absent, an id is generated. */
  id?: string;
  status?: string;
  /** ISO 8601 with time zone. */
  createdAt?: string;
  /** In one of the formats of `foreign-hash.ts`. */
  passwordHash?: string;
  /** Identities for sign-in, at most one for each provider. */
  identities?: readonly ImportedIdentity[];
  /** The person of a source or provider to whom the account belongs, or from whose source the password was taken over. */
  person?: ImportedPerson;
}

/** Columns of the account, and values for other tables. */
export interface CheckedImport extends Omit<Partial<AccountRow>, 'attributes'>, ImportedLinks {
  /** As JSON text. */
  attributes?: string;
  username: string;
  username_key: string;
  display_name: string;
  hash: ForeignHash | null;
  identities: readonly CheckedIdentity[];
}

/** @throws AccountFieldInvalid, AttributeInvalid */
export function checkImport(importedAccount: ImportedAccount, attributes: AccountAttributes): CheckedImport {
  const { status, createdAt, passwordHash, identities = [], person, subject, ...account } = importedAccount;
  const id = toId(importedAccount);
  return {
    ...toNewColumns(account),
    ...attributes.toNewColumns(account),
    ...defined({ id }),
    ...(status === undefined ? {} : { status: checkStatus(status) }),
    ...(createdAt === undefined ? {} : { created_at: checkInstant('createdAt', createdAt) }),
    hash: passwordHash === undefined ? null : checkHash(passwordHash),
    identities: checkIdentities(identities),
    person: person ? checkPerson(person) : null,
    subject: subject === undefined || subject === id ? null : subject,
  };
}

/** If the subject is a UUID in the canonical form, it is the id of the account. */
function toId({ id: importedId, subject }: ImportedAccount): string | undefined {
  if (importedId !== undefined && !isAccountId(importedId)) throw new AccountFieldInvalid('id', 'format', 'id must be a UUID.');
  const id = importedId?.toLowerCase();
  const subjectId = toAccountId(subject);
  if (id !== undefined && subjectId !== undefined && id !== subjectId) {
    throw new AccountFieldInvalid('subject', 'format', 'If the subject is a UUID, it must be equal to the id.');
  }
  return id ?? subjectId;
}

function checkHash(hash: string): ForeignHash {
  try {
    return readForeignHash(hash);
  } catch (error) {
    if (!(error instanceof HashRefused)) throw error;
    throw new AccountFieldInvalid('passwordHash', error.isKnown ? 'too-costly' : 'format', `passwordHash ${error.message}`);
  }
}
