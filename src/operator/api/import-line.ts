/** Reads and validates one line of an import. An invalid line is a result, not an error. */
import { Injectable } from '@nestjs/common';
import { checkLanguage, checkSecondFactor } from '../../accounts/account/fields.js';
import { AccountImports } from '../../accounts/transfer/imports.js';
import type { CheckedImport, ImportedAccount } from '../../accounts/transfer/imported-account.js';
import { AccountError } from '../../accounts/account/account.errors.js';
import type { ImportedIdentity } from '../../accounts/identities/imported-identities.js';
import { FactorTransfers, type FactorSecrets } from '../../mfa/factor-transfers.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import { ImportLineBody } from './account-bodies.js';
import { toOperatorFault } from './fault-answers.js';
import { readIdentities } from './import-identities.js';
import { readPerson } from './import-person.js';
import { OperatorFault } from './operator-fault.js';
import { operatorBodyPipe, removeNulls } from './operator-body.pipe.js';
import { ChangeAccount } from './change-account.js';
import { PeopleSources } from './people-sources.js';
import { parseObject } from './request-body.js';
import type { ImportLineAnswer } from '../wire.js';
import { defined } from '../../config/defined.js';

export interface ParsedLine {
  line: number;
  account: CheckedImport;
  factorSecrets: FactorSecrets;
  /** The plain password, which has to be hashed. */
  password: string | undefined;
}

/** The services that check the values of a line. */
@Injectable()
export class LineServices {
  constructor(
    /** Identities may name only the configured providers. */
    readonly providers: IdentityProviders,
    readonly sources: PeopleSources,
    readonly factors: FactorTransfers,
    readonly imports: AccountImports,
    readonly changes: ChangeAccount,
  ) {}
}

/** @param line number of the line in the batch, from 1 @returns the parsed line, or its result if it is invalid */
export async function readImportLine(
  text: string,
  line: number,
  { providers: configuredProviders, sources, factors, imports, changes }: LineServices,
): Promise<ParsedLine | ImportLineAnswer> {
  try {
    const {
      password,
      providers = [],
      totp_secret,
      factors: names = [],
      ...body
    } = await operatorBodyPipe.read(ImportLineBody, removeNulls(parseObject(text, 'The line')));
    if (password !== undefined && body.password_hash !== undefined) {
      throw new OperatorFault(422, 'conflict', 'password and password_hash must not both be given.', { field: 'password_hash' });
    }
    const { group_name, groups, attributes } = body;
    changes.requireNoNewAdmin({ ...defined({ group_name }), ...defined({ groups }), ...defined({ attributes }) });
    const identities = await readIdentities(providers, configuredProviders);
    const person = readPerson({ ...body, ...defined({ password }) }, identities, sources);
    const account = imports.read({ ...toImportedAccount(body, identities), ...(person ? { person } : {}) });
    return { line, account, factorSecrets: factors.check({ totp_secret }, toTexts('factors', names)), password };
  } catch (error) {
    return toInvalidLine(line, error);
  }
}

/** Converts an error about the line to a result, and rethrows other errors. */
export function toInvalidLine(line: number, error: unknown): ImportLineAnswer {
  if (!(error instanceof OperatorFault) && !(error instanceof AccountError)) throw error;
  const { code, message, hints } = toOperatorFault(error, () => null);
  return {
    line,
    result: 'invalid',
    error: code,
    message,
    ...defined({ field: hints.field }),
    ...defined({ pointer: hints.pointer }),
    ...defined({ faults: hints.faults }),
  };
}

function toTexts(field: string, list: readonly unknown[]): string[] {
  if (list.every((entry) => typeof entry === 'string')) return [...list];
  throw new OperatorFault(422, 'wrong_type', `${field} must be a list of strings.`, { field });
}

function toImportedAccount(
  body: Omit<ImportLineBody, 'password' | 'providers' | 'totp_secret' | 'factors'>,
  identities: readonly ImportedIdentity[],
): ImportedAccount {
  const { id, subject, username, display_name, email, email_verified, picture, language, group_name, groups, attributes } = body;
  const { status, second_factor, created_at, password_hash } = body;
  return {
    username,
    identities,
    ...defined({ id }),
    ...defined({ subject }),
    ...defined({ displayName: display_name }),
    ...defined({ email }),
    ...defined({ emailVerified: email_verified }),
    ...defined({ picture }),
    ...(language === undefined ? {} : { language: checkLanguage(language) }),
    ...defined({ groupName: group_name }),
    ...defined({ groups }),
    ...defined({ attributes }),
    ...defined({ status }),
    ...(second_factor === undefined ? {} : { secondFactor: checkSecondFactor(second_factor) }),
    ...defined({ createdAt: created_at }),
    ...defined({ passwordHash: password_hash }),
  };
}
