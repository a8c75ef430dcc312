/**
 * Creates the account of a person who signs up or accepts an invitation. A mailed code or link has proven the address before
 * (`sign-up-mails.ts`, `invitations.ts`). Until then, nothing that the person has entered is stored, except the address in a queued
 * mail.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { Config } from '../../config/config.js';
import { findTypedDomain, isInDomains } from '../../config/domains.js';
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
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { checkUsername, createUsername } from '../account/username.js';
import type { AuditContext, AuditDetail } from '../audit/audit-log.js';
import { RequestLimits } from '../limits/request-limits.js';
import { HasherBusy } from '../password/hasher.js';
import { SetPassword } from '../password/set-password.js';
import type { CredentialVersion } from '../sessions/sign-in-records.js';
import { SignUpMails } from './sign-up-mails.js';

/** The texts that a person enters. */
export interface SignUpDetails {
  /** Absent if people are not asked for one: the username is then the address, or a new name. */
  username?: string;
  displayName?: string;
  email: string;
  /** Attributes by name. */
  attributes: Readonly<Record<string, string>>;
  /** What an invitation gives the account; the person does not choose it. */
  invitationValues?: Pick<NewAccount, 'groupName' | 'groups' | 'attributes' | 'language'>;
}

/** What lets the person create an account; it is used up in the same transaction. */
export interface SignUpGrant {
  /** Stored with the event about the new account. */
  detail: AuditDetail;
  /** @returns false if the grant is no longer valid, so that no account is created */
  use(accountId: string, trx: Transaction<Schema>): Promise<boolean>;
}

class GrantInvalid extends Error {}

/**
 * `field`: `username`, `display_name`, `email` or the name of an attribute; empty for the attributes as a whole. `domain`: no
 * addresses of this domain may sign up. `source`: the people with addresses of this domain belong to a user source.
 */
export interface DetailFault {
  field: string;
  code: FieldFault | 'domain' | 'source' | 'taken';
}

/**
 * `exists`: an account has the address by now, or has it as its username, or a user source knows it, or the grant is no longer
 * valid. `fault`: a detail cannot be used any more. `taken`: another account has the credential that takes the place of the
 * password.
 */
export type SignUpOutcome =
  /** `credential`: the proven credential of the sign-in that follows. */
  | { kind: 'created'; account: Account; credential: CredentialVersion }
  | { kind: 'weak'; reasons: PasswordFault[] }
  /** `retryAfter`: in seconds. */
  | { kind: 'limited'; retryAfter: number }
  | { kind: 'fault'; fault: DetailFault }
  | { kind: 'exists' | 'busy' | 'taken' };

/** Stores a credential that takes the place of the password. @returns false if another account has it */
export type InsertCredential = (account: Account, trx: Transaction<Schema>) => Promise<boolean>;

interface Person {
  details: SignUpDetails;
  auditContext: AuditContext;
  /** Default: the mailed code, which has proven the address before. */
  grant?: SignUpGrant | undefined;
}

/** The new password, or the other credential. */
type NewCredential = { password: string } | { insert: InsertCredential };

interface NewPerson extends Person {
  username: string;
  credential: { hash: string } | { insert: InsertCredential };
}

/** Thrown to roll the account back. */
class CredentialTaken extends Error {}

const FIND_VERSION = new Statement<{ account: string }, { version: string }>(
  'sign-up.password-version',
  ({ param }) => sql`select ${PASSWORD_VERSION} as version from password_credential p where p.account_id = ${param('account')}`,
);

const FIND_STAMP = new Statement<{ account: string }, { stamp: string }>(
  'sign-up.security-stamp',
  ({ param }) => sql`select ${SECURITY_STAMP} as stamp from account a where a.id = ${param('account')}`,
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
  findFaults({ username, displayName, email, attributes, invitationValues }: SignUpDetails): DetailFault[] {
    const usernameFaults = username === undefined ? [] : findFault(() => this.#requireUsername(username, email));
    const displayNameFaults = displayName === undefined ? [] : findFault(() => checkName('displayName', displayName));
    const emailFaults = findFault(() => checkEmail(email));
    const sourceFaults = emailFaults.length === 0 && this.names.hasSourceDomain(email) ? (['source'] as const) : [];
    const fault = this.accounts.attributes.findFault({
      ...this.accounts.attributes.fromTexts(attributes),
      ...invitationValues?.attributes,
    });
    return [
      ...usernameFaults.map((code) => ({ field: 'username', code })),
      ...displayNameFaults.map((code) => ({ field: 'display_name', code })),
      ...[...emailFaults, ...sourceFaults].map((code) => ({ field: 'email', code })),
      ...(fault ? [toAttributeFault(fault)] : []),
    ];
  }

  /**
   * Whether a chosen username is free, or none was chosen. A name is not free while a user source is unavailable. Must not be
   * called before the address is proven, because the answer reveals who has an account. @throws AccountFieldInvalid
   */
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

  /**
   * Creates the account with its verified address and its password. Only one of several calls for an address creates an account.
   */
  async create({ password, ...person }: Person & { password: string }): Promise<SignUpOutcome> {
    return this.#countAndCreate(person, { password });
  }

  /** Does the same as `create`, with another credential in place of the password. */
  async createWith({ insert, ...person }: Person & { insert: InsertCredential }): Promise<SignUpOutcome> {
    return this.#countAndCreate(person, { insert });
  }

  async #countAndCreate(person: Person, credential: NewCredential): Promise<SignUpOutcome> {
    // Counted before the hash: otherwise, one proven address could request any number of hashes.
    const retryAfter = await this.limits.countSignUpStep('password', person.details.email, person.auditContext);
    return retryAfter === null ? this.#create(person, credential) : { kind: 'limited', retryAfter };
  }

  async #create(person: Person, credential: NewCredential): Promise<SignUpOutcome> {
    const { details, auditContext, grant } = person;
    const username = details.username ?? toUsername(details.email);
    const reasons = 'password' in credential ? await this.setPassword.findFaults(credential.password, username) : [];
    if (reasons.length > 0) return { kind: 'weak', reasons };
    const sourceAnswer = await this.names.findAtSources(details.email);
    if (sourceAnswer !== 'unknown') return { kind: sourceAnswer === 'known' ? 'exists' : 'busy' };
    try {
      if (details.username !== undefined) await this.accounts.requireUnknownToSources(username);
      const hashedCredential = 'password' in credential ? { hash: await this.setPassword.hash(credential.password) } : credential;
      return await this.#write({ details, username, credential: hashedCredential, auditContext, grant });
    } catch (error) {
      if (error instanceof HasherBusy) return { kind: 'busy' };
      // The person has not chosen this username, so another one takes its place.
      if (isUsernameFault(error) && details.username === undefined) {
        return this.#create({ ...person, details: { ...details, username: createUsername() } }, credential);
      }
      return toOutcome(error);
    }
  }

  async #write({ details, username, credential, auditContext, grant }: NewPerson): Promise<SignUpOutcome> {
    const { displayName, email, invitationValues } = details;
    const account: NewAccount = {
      username,
      ...(displayName === undefined ? {} : { displayName }),
      email,
      emailVerified: true,
      ...invitationValues,
      attributes: { ...this.accounts.attributes.fromTexts(details.attributes), ...invitationValues?.attributes },
    };
    const key = toEmailKey(email);
    if (this.mails.asksForApproval && !grant) throw new Error('An operator has to approve this account.');
    return this.accounts.transact(async (trx) => {
      // Another sign-up with this address, or a change to it, waits here until this one ends.
      await this.names.lock([{ username, email, ownEmailKey: key, verifiedKey: key }], trx);
      if (await this.mails.hasAccount(email, trx)) return { kind: 'exists' };
      const newAccount = await this.accounts.createWithin(trx, account, {
        ...auditContext,
        detail: grant?.detail ?? { by: 'sign-up' },
      });
      if (grant && !(await grant.use(newAccount.id, trx))) throw new GrantInvalid();
      return {
        kind: 'created',
        account: newAccount,
        credential: await this.#writeCredential(newAccount, { credential, auditContext }, trx),
      };
    });
  }

  async #writeCredential(
    account: Account,
    { credential, auditContext }: Pick<NewPerson, 'credential' | 'auditContext'>,
    trx: Transaction<Schema>,
  ): Promise<CredentialVersion> {
    if ('insert' in credential) {
      if (!(await credential.insert(account, trx))) throw new CredentialTaken();
      const [row] = await this.database.run(FIND_STAMP, { account: account.id }, trx);
      if (!row) throw new Error('The database returned no row for a new account.');
      return { securityStamp: row.stamp };
    }
    await this.setPassword.write({ account, hash: credential.hash, auditContext }, trx);
    const [row] = await this.database.run(FIND_VERSION, { account: account.id }, trx);
    if (!row) throw new Error('The database returned no row for a new password.');
    return { passwordVersion: row.version };
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
  if (domains.length === 0 && deniedDomains.length === 0) return true;
  const domain = findTypedDomain(email);
  // A domain that cannot be compared with the lists could be a spelling of one that is denied.
  if (domain === null) return false;
  return (domains.length === 0 || isInDomains(domain, domains)) && !isInDomains(domain, deniedDomains);
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
export function toAttributeFault({ pointer, message }: AttributeFault): DetailFault {
  const field = (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
  return { field, code: message === 'is missing' ? 'missing' : 'format' };
}

/** @returns the address if it can be a username, otherwise a new name */
export function toUsername(email: string): string {
  return findFault(() => checkUsername(email)).length === 0 ? email : createUsername();
}

export function isUsernameFault(error: unknown): boolean {
  return (error instanceof UsernameTaken || error instanceof AccountFieldInvalid) && error.field === 'username';
}

function toOutcome(error: unknown): SignUpOutcome {
  if (error instanceof CredentialTaken) return { kind: 'taken' };
  if (error instanceof EmailTaken || error instanceof GrantInvalid) return { kind: 'exists' };
  if (error instanceof UsernameTaken) return { kind: 'fault', fault: { field: 'username', code: 'taken' } };
  if (error instanceof AttributeInvalid)
    return { kind: 'fault', fault: toAttributeFault({ pointer: error.pointer, message: '' }) };
  if (!(error instanceof AccountFieldInvalid)) throw error;
  return { kind: 'fault', fault: { field: error.field === 'displayName' ? 'display_name' : error.field, code: error.code } };
}
