/**
 * Changes the e-mail address at the request of the owner of the account, or verifies the address that the account has already: a
 * mailed code proves the address. `accounts.ts` and `former-emails.ts` do what every change of an address requires.
 */
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { MailedCodes, type RightCode } from '../secrets/mailed-codes.js';
import type { OneTimeSlot } from '../secrets/one-time-secrets.js';
import { Accounts } from '../account/accounts.js';
import { AccountDisabled, EmailElsewhere, EmailTaken } from '../account/account.errors.js';
import { requireNotFrozen } from '../account/credential-freeze.js';
import { checkEmail } from '../account/fields.js';
import { lockActive, type SessionCondition } from '../account/lock.js';
import { findSource } from '../account/linked-source.js';
import type { AuditContext } from '../audit/audit-log.js';
import { RequestLimits } from '../limits/request-limits.js';

/** `sessionId`: id of a session of the account area, or of a sign-in. */
export interface EmailOwner {
  accountId: string;
  sessionId: string;
}

type ChangeContext = AuditContext & { manageSession: SessionCondition };
type ConfirmationContext = ChangeContext & { address: string; requestId: string };

/**
 * `changed`: the account has the proven address, which may be the address that it had before. `expired`: no code is waiting, or the
 * code was used or became void in the meantime. `limited`: too many wrong codes came from the network, or were entered in the whole
 * installation.
 */
export type EmailVerdict =
  | { kind: 'changed' | 'refused' | 'expired' }
  /** In seconds. */
  | { kind: 'limited'; retryAfter: number };

const COUNTER = 'email-change-mail';
/** For the whole installation: a person with many accounts could otherwise guess the code for the address of another person. */
const WRONG_CODES_PER_HOUR = 1000;

@Injectable()
export class ChangeEmail {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly codes: MailedCodes,
    private readonly limits: RequestLimits,
  ) {}

  /** Whether the account belongs to a source or provider, which would change the address back. */
  async isElsewhere(accountId: string): Promise<boolean> {
    return (await findSource(accountId, this.database.db)) !== null;
  }

  /**
   * Mails a code to the new address; an earlier code of this session or sign-in becomes void. Behaves the same whether or not
   * another account has the address, so that the answer does not reveal that account. Sends nothing if the account is not active.
   * @returns seconds to wait; null if no limit refuses the mail
   * @throws AccountFieldInvalid, EmailElsewhere, ChangeRefused or, during a sign-in, ProofOutdated
   */
  async begin(owner: EmailOwner, newEmail: string, { manageSession, ...auditContext }: ChangeContext): Promise<number | null> {
    const email = checkEmail(newEmail);
    if (await this.isElsewhere(owner.accountId)) throw new EmailElsewhere();
    const mail = { kind: 'email-change-code' } as const;
    const recipient = { email, isProven: false };
    return this.codes.send({ slot: toSlot(owner), recipient, mail, counter: COUNTER, manageSession, auditContext });
  }

  /** @returns the new address while its code is waiting; otherwise null */
  findWaitingAddress(owner: EmailOwner): Promise<string | null> {
    return this.codes.findWaitingAddress(toSlot(owner));
  }

  /**
   * An empty code is refused, but not counted: browsers that ignore `required` send it by mistake.
   * @throws EmailTaken (only to a person who reads the mail of the address), EmailElsewhere, AccountDisabled, CredentialsFrozen,
   * ChangeRefused or, during a sign-in, ProofOutdated
   */
  async confirm(owner: EmailOwner, code: string, context: ConfirmationContext): Promise<EmailVerdict> {
    if (code.trim() === '') return { kind: 'refused' };
    const { address, requestId } = context;
    const attempt = { use: 'email-change-code', address, requestId, perHour: WRONG_CODES_PER_HOUR } as const;
    const retryAfter = await this.limits.countAddressCode(attempt);
    if (retryAfter !== null) return { kind: 'limited', retryAfter };
    const result = await this.codes.check({ slot: toSlot(owner), counter: COUNTER }, code);
    if (result === 'code') return { kind: 'refused' };
    await this.limits.releaseAddressCode(attempt);
    if (result === 'challenge') return { kind: 'expired' };
    try {
      return { kind: (await this.#write(owner.accountId, result, context)) ? 'changed' : 'expired' };
    } catch (error) {
      // Makes the code void, because the change would be refused again.
      if (error instanceof EmailTaken) await this.database.transaction((trx) => result.spend(trx));
      throw error;
    }
  }

  /** @returns false if the code was used or became void in the meantime */
  async #write(accountId: string, rightCode: RightCode, { manageSession, ...auditContext }: ChangeContext): Promise<boolean> {
    return this.accounts.transact(async (trx) => {
      if (!(await lockActive(accountId, trx))) throw new AccountDisabled();
      await manageSession.require(trx);
      await requireNotFrozen({ accountId, now: this.database.now() }, trx);
      if (!(await rightCode.spend(trx))) return false;
      if ((await findSource(accountId, trx)) !== null) throw new EmailElsewhere();
      const { email } = rightCode;
      const unchangedAccount = trx.selectFrom('account').select('id').where('id', '=', accountId).where('email', '=', email);
      const patch = { ...((await unchangedAccount.executeTakeFirst()) ? {} : { email }), emailVerified: true };
      await this.accounts.updateWithin(trx, { id: accountId, patch, isOwn: true, auditContext });
      return true;
    });
  }
}

function toSlot({ accountId, sessionId }: EmailOwner): OneTimeSlot {
  return { purpose: 'email-change', accountId, boundTo: sessionId };
}
