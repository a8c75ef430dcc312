/** Creates the account of a person who signed up, after an operator has approved the application. */
import { Injectable } from '@nestjs/common';
import type { Account, NewAccount } from '../account/account.js';
import { EmailTaken } from '../account/account.errors.js';
import { Accounts } from '../account/accounts.js';
import { AccountNames } from '../account/account-names.js';
import { toEmailKey } from '../account/fields.js';
import { checkUsername, createUsername } from '../account/username.js';
import type { AuditContext } from '../audit/audit-log.js';
import { SetPassword } from '../password/set-password.js';
import { SignUpApplications, type SignUpApplication } from './sign-up-applications.js';
import { isUsernameFault, toUsername } from './sign-up.js';
import { SignUpMails } from './sign-up-mails.js';

const EMAIL_TAKEN_MESSAGE = 'A user source (USER_SOURCES) knows this e-mail address by now, or is not available now.';

@Injectable()
export class ApproveSignUp {
  constructor(
    private readonly accounts: Accounts,
    private readonly names: AccountNames,
    private readonly setPassword: SetPassword,
    private readonly mails: SignUpMails,
    private readonly applications: SignUpApplications,
  ) {}

  /**
   * If several calls approve at once, one creates the account. A call that is refused leaves the application as it is.
   * @param typedFields a username in place of the one that the person has chosen, or of the one that is made from the address
   * @throws ApplicationNotFound, UsernameTaken, EmailTaken, AccountFieldInvalid, AttributeInvalid
   */
  async approve(id: string, typedFields: { username?: string | undefined }, auditContext: AuditContext): Promise<Account> {
    const application = await this.applications.get(id);
    const { username: chosenUsername, email } = application.details;
    const username = typedFields.username ?? chosenUsername;
    // A user source may have added the person after the sign-up.
    if ((await this.names.findAtSources(email)) !== 'unknown') throw new EmailTaken(EMAIL_TAKEN_MESSAGE);
    if (username !== undefined) {
      await this.accounts.requireUnknownToSources(username);
      return this.#write(application, checkUsername(username), auditContext);
    }
    try {
      return await this.#write(application, toUsername(email), auditContext);
    } catch (error) {
      // The person has not chosen this username, so another one takes its place.
      if (!isUsernameFault(error)) throw error;
      return this.#write(application, createUsername(), auditContext);
    }
  }

  async #write(application: SignUpApplication, username: string, auditContext: AuditContext): Promise<Account> {
    const { id, details, hash } = application;
    const { email, displayName } = details;
    const key = toEmailKey(email);
    const attributes = this.accounts.attributes.fromTexts(details.attributes);
    const account: NewAccount = {
      ...{ username, email, emailVerified: true, attributes },
      ...(displayName === undefined ? {} : { displayName }),
    };
    return this.accounts.transact(async (trx) => {
      // The names are locked before the application, in the same order as in a sign-up with this address.
      await this.names.lock([{ username, email, ownEmailKey: key, verifiedKey: key }], trx);
      await this.applications.take(id, trx);
      if (await this.mails.hasAccount(email, trx))
        throw new EmailTaken('An account has this e-mail address by now, possibly as its username: refuse the sign-up.');
      const newAccount = await this.accounts.createWithin(trx, account, {
        ...auditContext,
        detail: { by: 'sign-up', application: id },
      });
      await this.setPassword.write({ account: newAccount, hash, auditContext }, trx);
      await this.applications.announceApproval(application, newAccount, trx);
      return newAccount;
    });
  }
}
