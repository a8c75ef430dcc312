/**
 * Creates the account of a person who signs up here. Nothing about the person is stored before a mailed code has proven the address
 * (`sign-up-mails.ts`).
 */
import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { Config } from '../../config/config.js';
import type { AttributeFault } from '../../config/account-schema.js';
import type { PasswordFault } from '../../contract/manage-state.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AccountFieldInvalid, AttributeInvalid, EmailTaken, UsernameTaken, type FieldFault } from '../account/account.errors.js';
import type { NewAccount } from '../account/account.js';
import { AccountNames } from '../account/account-names.js';
import { Accounts, type Account } from '../account/accounts.js';
import { checkEmail, checkName, toEmailKey } from '../account/fields.js';
import { PASSWORD_VERSION } from '../account/password-version.js';
import { checkUsername } from '../account/username.js';
import type { AuditContext, AuditDetail } from '../audit/audit-log.js';
import { RequestLimits } from '../limits/request-limits.js';
import { HasherBusy } from '../password/hasher.js';
import { SetPassword } from '../password/set-password.js';
import { SignUpMails } from './sign-up-mails.js';

/** The texts that a person enters. */
export interface SignUpDetails {
  /** Absent if people are not asked for one: it is made from the address. */
  username?: string;
  displayName?: string;
  email: string;
  /** Attributes by name. */
  attributes: Readonly<Record<string, string>>;
  /** What an invitation gives the account; the person does not choose it. */
  given?: Pick<NewAccount, 'groupName' | 'groups' | 'attributes' | 'language'>;
}

/** What lets the person create an account; it is used up in the same transaction. */
export interface SignUpGrant {
  /** Stored with the event about the new account. */
  detail: AuditDetail;
  /** @returns false if it no longer counts, so that no account is created */
  use(accountId: string, trx: Transaction<Schema>): Promise<boolean>;
}

class GrantUsed extends Error {}

/** `field`: `username`, `display_name`, `email` or the name of an attribute. `domain`: no addresses of this domain may sign up. */
export interface DetailFault {
  field: string;
  code: FieldFault | 'domain' | 'taken';
}

/** `exists`: an account has the address by now, or the grant was used. `fault`: a detail cannot be used any more. */
export type SignUpOutcome =
  /** `passwordVersion`: the proven credential of the sign-in that follows. */
  | { kind: 'created'; account: Account; passwordVersion: string }
  | { kind: 'weak'; reasons: PasswordFault[] }
  /** `retryAfter`: in seconds. */
  | { kind: 'limited'; retryAfter: number }
  | { kind: 'fault'; fault: DetailFault }
  | { kind: 'exists' | 'busy' };

interface TypedPerson {
  details: SignUpDetails;
  password: string;
  by: AuditContext;
  /** Default: the mailed code, which has proven the address before. */
  grant?: SignUpGrant;
}

interface NewPerson {
  details: SignUpDetails;
  username: string;
  hash: string;
  by: AuditContext;
  grant: SignUpGrant | undefined;
}

const FIND_VERSION = new Statement<{ account: string }, { version: string }>(
  'sign-up.password-version',
  ({ param }) => sql`select ${PASSWORD_VERSION} as version from password_credential p where p.account_id = ${param('account')}`,
);

@Injectable()
export class SignUp {
  constructor(
    private readonly accounts: Accounts,
    private readonly names: AccountNames,
    private readonly setPassword: SetPassword,
    private readonly mails: SignUpMails,
    private readonly limits: RequestLimits,
    private readonly database: Database,
  ) {}

  /** Checks what does not depend on other accounts. @returns at most one fault for each field */
  findFaults({ username, displayName, email, attributes, given }: SignUpDetails): DetailFault[] {
    const name = username === undefined ? [] : findFault(() => this.#requireUsername(username, email));
    const shown = displayName === undefined ? [] : findFault(() => checkName('displayName', displayName));
    const address = findFault(() => checkEmail(email));
    const fault = this.accounts.attributes.explainFault({
      ...this.accounts.attributes.fromTexts(attributes),
      ...given?.attributes,
    });
    return [
      ...name.map((code) => ({ field: 'username', code })),
      ...shown.map((code) => ({ field: 'display_name', code })),
      ...address.map((code) => ({ field: 'email', code })),
      ...(fault ? [toAttributeFault(fault)] : []),
    ];
  }

  /** Whether a chosen username is free. It may be asked only after the address is proven, because the answer reveals who has an account. */
  async isUsernameFree({ username, email }: SignUpDetails): Promise<boolean> {
    if (username === undefined) return true;
    try {
      await this.accounts.requireUnknownToSources(username);
    } catch (error) {
      if (error instanceof UsernameTaken) return false;
      throw error;
    }
    if (await this.accounts.findByUsername(username)) return false;
    const claim = { username: checkUsername(username), ownEmailKey: toEmailKey(email) };
    const [conflict] = await this.names.findConflicts([claim], [], this.database.db);
    return conflict === undefined;
  }

  /** Creates the account with its verified address and its password. Of several calls for one address, one creates an account. */
  async create(person: TypedPerson): Promise<SignUpOutcome> {
    // Before the hash, which one proven address could otherwise request without end.
    const retryAfter = await this.limits.countSignUpStep('password', person.details.email, person.by);
    return retryAfter === null ? this.#create(person) : { kind: 'limited', retryAfter };
  }

  async #create(person: TypedPerson): Promise<SignUpOutcome> {
    const { details, password, by, grant } = person;
    const username = details.username ?? toUsername(details.email);
    const reasons = await this.setPassword.findFaults(password, username);
    if (reasons.length > 0) return { kind: 'weak', reasons };
    try {
      if (details.username !== undefined) await this.accounts.requireUnknownToSources(username);
      return await this.#write({ details, username, hash: await this.setPassword.hash(password), by, grant });
    } catch (error) {
      if (error instanceof HasherBusy) return { kind: 'busy' };
      // Nobody has chosen this username, so another one takes its place.
      if (isUsernameFault(error) && details.username === undefined) {
        return this.#create({ ...person, details: { ...details, username: createUsername() } });
      }
      return toOutcome(error);
    }
  }

  async #write({ details, username, hash, by, grant }: NewPerson): Promise<SignUpOutcome> {
    const { displayName, email, given } = details;
    const account: NewAccount = {
      username,
      ...(displayName === undefined ? {} : { displayName }),
      email,
      emailVerified: true,
      ...given,
      attributes: { ...this.accounts.attributes.fromTexts(details.attributes), ...given?.attributes },
    };
    const key = toEmailKey(email);
    return this.accounts.transact(async (trx) => {
      // Another sign-up with this address, or a change to it, waits here until this one is committed.
      await this.names.lock([{ username, email, ownEmailKey: key, verifiedKey: key }], trx);
      if (await this.mails.hasAccount(email, trx)) return { kind: 'exists' };
      const created = await this.accounts.createWithin(trx, account, { ...by, detail: grant?.detail ?? { by: 'sign-up' } });
      if (grant && !(await grant.use(created.id, trx))) throw new GrantUsed();
      await this.setPassword.write({ account: created, hash, by }, trx);
      const [row] = await this.database.run(FIND_VERSION, { account: created.id }, trx);
      if (!row) throw new Error('The database returned no row for a new password.');
      return { kind: 'created', account: created, passwordVersion: row.version };
    });
  }

  #requireUsername(username: string, email: string): void {
    const ownEmailKey = email.includes('@') ? toEmailKey(email) : null;
    this.names.require({ username: checkUsername(username), ownEmailKey });
  }
}

/** Whether the lists of the installation let an address sign up. A domain in a list stands for its subdomains too. */
export function isDomainAllowed(
  email: string,
  { domains, deniedDomains }: NonNullable<Config['registration']['signUp']>,
): boolean {
  const domain = toEmailKey(email).split('@').at(-1) ?? '';
  const isIn = (list: readonly string[]): boolean => list.some((one) => domain === one || domain.endsWith(`.${one}`));
  return (domains.length === 0 || isIn(domains)) && !isIn(deniedDomains);
}

function findFault(check: () => void): FieldFault[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof AccountFieldInvalid) return [error.code];
    throw error;
  }
}

/** @param pointer such as `/phone_number` or `/address/country` */
function toAttributeFault({ pointer, message }: AttributeFault): DetailFault {
  const field = (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
  return { field, code: message === 'is missing' ? 'missing' : 'format' };
}

/** @returns the address if it can be a username, otherwise a new name */
function toUsername(email: string): string {
  return findFault(() => checkUsername(email)).length === 0 ? email : createUsername();
}

function createUsername(): string {
  return `user-${String(randomInt(10 ** 12)).padStart(12, '0')}`;
}

function isUsernameFault(error: unknown): boolean {
  return (error instanceof UsernameTaken || error instanceof AccountFieldInvalid) && error.field === 'username';
}

function toOutcome(error: unknown): SignUpOutcome {
  if (error instanceof EmailTaken || error instanceof GrantUsed) return { kind: 'exists' };
  if (error instanceof UsernameTaken) return { kind: 'fault', fault: { field: 'username', code: 'taken' } };
  if (error instanceof AttributeInvalid)
    return { kind: 'fault', fault: toAttributeFault({ pointer: error.pointer, message: '' }) };
  if (!(error instanceof AccountFieldInvalid)) throw error;
  return { kind: 'fault', fault: { field: error.field === 'displayName' ? 'display_name' : error.field, code: error.code } };
}
