/**
 * The codes themselves: six digits, so the guesses are bounded: ten minutes, five tries for each code, once, only in the
 * session or sign-in that asked for it, and the newest one only.
 */
import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { AuditContext } from '../../../accounts/audit/audit-log.js';
import { RequestLimits } from '../../../accounts/limits/request-limits.js';
import type { Recipient } from '../../../accounts/limits/request-limits.js';
import type { RequestedMail } from '../../../accounts/queue/outbox.js';
import { MAILED_CODE_SECONDS, newMailedCode, readMailedCode } from '../../../accounts/secrets/mailed-code.js';
import { OneTimeSecrets } from '../../../accounts/secrets/one-time-secrets.js';
import type { OneTimeSlot } from '../../../accounts/secrets/one-time-secrets.js';
import { SendCode } from '../../../accounts/secrets/send-code.js';
import { Keys, randomToken } from '../../../config/keys.js';
import { Database } from '../../../database/database.js';
import type { Schema } from '../../../database/schema.js';

const MOST_TRIES = 5;
const MAIL = 'email-code-mail';

/** What a code is for. Its mail says it, so that nobody is talked into passing on a code for something else. */
export type CodeAct = 'sign-in' | 'set-up' | 'fresh-proof';

export interface CodeRequest {
  slot: OneTimeSlot;
  to: Recipient;
  act: CodeAct;
  by: AuditContext;
}

/** Sealed beside the code. */
interface Payload {
  /** Names the counter of its tries. */
  id: string;
  email: string;
  /** Keyed MAC of the code. */
  secret: string;
}

/** A right code that is not spent yet. */
export interface RightCode {
  email: string;
  /**
   * Part of the transaction of what it was for, in which the account is locked already: whatever voids codes locks the
   * account first. @returns false if it was spent or replaced meanwhile
   */
  spend(trx: Transaction<Schema>): Promise<boolean>;
}

@Injectable()
export class MailedCodes {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly secrets: OneTimeSecrets,
    private readonly sendCode: SendCode,
    private readonly limits: RequestLimits,
  ) {}

  /** Sends a code to the address; earlier ones of the slot are void. @returns seconds to wait, or null if it was sent */
  async send({ slot, to, act, by }: CodeRequest): Promise<number | null> {
    const { accountId } = slot;
    const { email } = to;
    // The network and the mailbox first: what they are refused is not charged to the account.
    const wait =
      (await this.#countAddress(by)) ??
      (await this.limits.countRecipient(to, accountId, by)) ??
      (await this.limits.countOwn(MAIL, accountId, by));
    if (wait !== null) return wait;
    const code = newMailedCode();
    const secret = this.keys.mac('proof-code', keyedOf(slot, code));
    const payload: Payload = { id: randomToken(), email, secret };
    await this.sendCode.send({ slot, secret, payload: JSON.stringify(payload) }, mailOf(act, code));
    return null;
  }

  /** For a page; spends nothing. */
  async isWaiting(slot: OneTimeSlot): Promise<boolean> {
    return (await this.secrets.findWaiting(slot)) !== null;
  }

  /** @returns why it is not the right one: `challenge` if none is waiting */
  async check(slot: OneTimeSlot, typed: unknown): Promise<RightCode | 'code' | 'challenge'> {
    const code = readMailedCode(typed);
    const waiting = (await this.secrets.findWaiting(slot))?.payload;
    if (!waiting) return 'challenge';
    const { id, email, secret } = JSON.parse(waiting) as Payload;
    // Counted before the code is compared, so that parallel guesses cannot pass the limit.
    const tries = await this.limits.countTry(`email-code\n${id}`, MAILED_CODE_SECONDS);
    if (tries <= MOST_TRIES && this.keys.verifyMac('proof-code', keyedOf(slot, code), secret)) {
      return { email, spend: (trx) => this.#spend(slot, { secret, email }, trx) };
    }
    // Only this one: a newer code may have taken its slot.
    if (tries >= MOST_TRIES) await this.database.transaction((trx) => this.secrets.spendAt(slot, secret, trx));
    return 'code';
  }

  /** Whoever types the code has the mailbox: the mails so far flooded nobody. */
  async #spend(slot: OneTimeSlot, { secret, email }: Omit<Payload, 'id'>, trx: Transaction<Schema>): Promise<boolean> {
    if (!(await this.secrets.spendAt(slot, secret, trx))) return false;
    await this.limits.clearOwn(MAIL, slot.accountId, trx);
    await this.limits.clearRecipient(email, trx);
    return true;
  }

  async #countAddress({ address, requestId = '' }: AuditContext): Promise<number | null> {
    return address === undefined ? null : this.limits.count(MAIL, { address, requestId });
  }
}

function keyedOf({ purpose, accountId, boundTo }: OneTimeSlot, code: string): string {
  return ['email-code', purpose, accountId, boundTo, code].join('\n');
}

/** A gateway of the version before, which may send it, ignores `act`. */
function mailOf(act: CodeAct, code: string): Pick<RequestedMail, 'kind' | 'values'> {
  if (act === 'fresh-proof') return { kind: 'proof-code', values: { code } };
  return { kind: 'email-code', values: act === 'set-up' ? { code, act } : { code } };
}
