/** The last step of a sign-up that an operator has to approve: stores the application and creates no account. */
import { Injectable } from '@nestjs/common';
import { Accounts } from '../account/accounts.js';
import { AccountNames } from '../account/account-names.js';
import { toEmailKey } from '../account/fields.js';
import type { AuditContext } from '../audit/audit-log.js';
import { RequestLimits } from '../limits/request-limits.js';
import { HasherBusy } from '../password/hasher.js';
import { SetPassword } from '../password/set-password.js';
import { SignUpApplications, type ApplicationClient } from './sign-up-applications.js';
import type { SignUpDetails, SignUpOutcome } from './sign-up.js';
import { SignUpMails } from './sign-up-mails.js';

interface TypedApplication {
  details: SignUpDetails;
  password: string;
  client: ApplicationClient;
  auditContext: AuditContext;
}

/** `waits`: the application is stored, or an earlier application with this address still waits. `full`: too many people wait. */
export type ApplicationOutcome =
  | { kind: 'waits' | 'full' | 'exists' | 'busy' }
  | Extract<SignUpOutcome, { kind: 'weak' | 'limited' }>;

@Injectable()
export class ApplyForAccount {
  constructor(
    private readonly accounts: Accounts,
    private readonly names: AccountNames,
    private readonly setPassword: SetPassword,
    private readonly mails: SignUpMails,
    private readonly limits: RequestLimits,
    private readonly applications: SignUpApplications,
  ) {}

  /** Stores the application of a person who has proven the address. */
  async apply({ details, password, client, auditContext }: TypedApplication): Promise<ApplicationOutcome> {
    // Counted before the hash: otherwise, one proven address could request any number of hashes.
    const retryAfter = await this.limits.countSignUpStep('password', details.email, auditContext);
    if (retryAfter !== null) return { kind: 'limited', retryAfter };
    const reasons = await this.setPassword.findFaults(password, details.username ?? details.email);
    if (reasons.length > 0) return { kind: 'weak', reasons };
    if (await this.mails.isFull()) return { kind: 'full' };
    // A person whom a source knows by the address gets no account, but signs in as a person of the source. `SignUp.create` checks
    // the same.
    const sourceAnswer = await this.names.findAtSources(details.email);
    if (sourceAnswer !== 'unknown') return { kind: sourceAnswer === 'known' ? 'exists' : 'busy' };
    try {
      return await this.#store({ details, client, auditContext, hash: await this.setPassword.hash(password) });
    } catch (error) {
      if (error instanceof HasherBusy) return { kind: 'busy' };
      throw error;
    }
  }

  async #store(application: Parameters<SignUpApplications['add']>[0]): Promise<ApplicationOutcome> {
    const { email } = application.details;
    const key = toEmailKey(email);
    return this.accounts.transact(async (trx) => {
      // The same lock as for a new account with this address.
      await this.names.lock([{ email, ownEmailKey: key, verifiedKey: key }], trx);
      if (await this.mails.hasAccount(email, trx)) return { kind: 'exists' };
      await this.applications.add(application, trx);
      return { kind: 'waits' };
    });
  }
}
