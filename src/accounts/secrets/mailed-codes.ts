/**
 * Mailed codes that prove an e-mail address. A code has only six digits, so guesses are limited: the code can be used once, within
 * ten minutes and five tries, in the session or sign-in that requested it, until a newer code is sent.
 */
import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { SessionCondition } from '../account/lock.js';
import type { AuditContext } from '../audit/audit-log.js';
import { RequestLimits, type FactorMail, type Recipient } from '../limits/request-limits.js';
import type { RequestedMail } from '../queue/outbox.js';
import { SixDigitCodes } from './mailed-code.js';
import { OneTimeSecrets, type OneTimeSlot } from './one-time-secrets.js';
import { SendCode } from './send-code.js';
import { defined } from '../../config/defined.js';
import { randomToken } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';

export interface CodeSlot {
  slot: OneTimeSlot;
  /** Counts the mails that are sent for the account. */
  counter: FactorMail;
}

export interface CodeRequest extends CodeSlot {
  recipient: Recipient;
  /** The mail states the purpose of the code, so that nobody is tricked into passing on a code for something else. */
  mail: Pick<RequestedMail, 'kind'> & { act?: string };
  /** If present, the session or sign-in is checked again before the code is sent. */
  manageSession?: SessionCondition;
  auditContext: AuditContext;
}

/** The payload of the one-time secret, which is stored sealed. */
interface Payload {
  /** Name of the counter of tries. */
  id: string;
  email: string;
  /** Keyed MAC of the code. */
  secret: string;
}

/** A correct code that has not been spent yet. */
export interface RightCode {
  email: string;
  /**
   * A change that the code allows must lock the account before it calls this method in its transaction, because other changes that make
   * codes void lock the account first. @returns false if the code has been spent or replaced since
   */
  spend(trx: Transaction<Schema>): Promise<boolean>;
}

@Injectable()
export class MailedCodes {
  constructor(
    private readonly database: Database,
    private readonly codes: SixDigitCodes,
    private readonly secrets: OneTimeSecrets,
    private readonly sendCode: SendCode,
    private readonly limits: RequestLimits,
  ) {}

  /**
   * Sends a code to the address if the account is active; earlier codes of the slot become void.
   * @returns seconds to wait; null if no limit refuses the mail @throws the errors of `manageSession.require`
   */
  async send({
    slot,
    recipient,
    mail: { kind, act },
    counter,
    manageSession,
    auditContext,
  }: CodeRequest): Promise<number | null> {
    const { accountId } = slot;
    const { email } = recipient;
    // The network and the mailbox come first: a mail that their limits refuse does not count for the account.
    const wait =
      (await this.#countAddress(counter, auditContext)) ??
      (await this.limits.countRecipient(recipient, accountId, auditContext)) ??
      (await this.limits.countOwn(counter, accountId, auditContext));
    if (wait !== null) return wait;
    const { code, secret } = this.codes.create(toName({ slot, counter }));
    const payload: Payload = { id: randomToken(), email, secret };
    const values = { code, ...defined({ act }) };
    const storedCode = { slot, secret, payload: JSON.stringify(payload), manageSession };
    await this.sendCode.send(storedCode, { kind, values, recipient: email, auditContext });
    return null;
  }

  /** Whether a code is waiting. Does not spend the code. */
  async isWaiting(slot: OneTimeSlot): Promise<boolean> {
    return (await this.secrets.findWaiting(slot)) !== null;
  }

  /** Does not spend the code. @returns the address to which the waiting code was sent; null if no code is waiting */
  async findWaitingAddress(slot: OneTimeSlot): Promise<string | null> {
    const storedPayload = (await this.secrets.findWaiting(slot))?.payload;
    return storedPayload ? (JSON.parse(storedPayload) as Payload).email : null;
  }

  /** @returns the correct code; `challenge` if no code is waiting; `code` if the typed code is wrong or all tries are used up */
  async check({ slot, counter }: CodeSlot, typedCode: unknown): Promise<RightCode | 'code' | 'challenge'> {
    const storedPayload = (await this.secrets.findWaiting(slot))?.payload;
    if (!storedPayload) return 'challenge';
    const { id, ...sentCode } = JSON.parse(storedPayload) as Payload;
    const { email, secret } = sentCode;
    const { isAllowed, isLast } = await this.codes.countTry(`${toCodeKind(counter)}\n${id}`);
    if (isAllowed && this.codes.isRight(toName({ slot, counter }), typedCode, secret)) {
      return { email, spend: (trx) => this.#spend({ slot, counter }, sentCode, trx) };
    }
    // Spends only this code: a newer code may be in the slot by now.
    if (isLast) await this.database.transaction((trx) => this.secrets.spendBound(slot, secret, trx));
    return 'code';
  }

  /**
   * The person who enters the code reads the mailbox, so the mails so far did not flood a stranger and are no longer counted. For a
   * change of the address, the mails of the account stay counted: some of them may have been sent to other people.
   */
  async #spend({ slot, counter }: CodeSlot, sentCode: Omit<Payload, 'id'>, trx: Transaction<Schema>): Promise<boolean> {
    const { secret, email } = sentCode;
    if (!(await this.secrets.spendBound(slot, secret, trx))) return false;
    if (slot.purpose !== 'email-change') await this.limits.clearOwn(counter, slot.accountId, trx);
    await this.limits.clearRecipient(email, trx);
    return true;
  }

  async #countAddress(counter: FactorMail, { address, requestId = '' }: AuditContext): Promise<number | null> {
    return address === undefined ? null : this.limits.count(counter, { address, requestId });
  }
}

function toName({ slot: { purpose, accountId, boundTo }, counter }: CodeSlot): string {
  return [toCodeKind(counter), purpose, accountId, boundTo].join('\n');
}

/** @returns the name of the kind of code, under which the previous version of Foyer counts tries too */
function toCodeKind(counter: FactorMail): string {
  return counter.replace(/-mail$/, '');
}
