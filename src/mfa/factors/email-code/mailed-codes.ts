/**
 * The codes themselves: six digits, so the guesses are bounded: ten minutes, five tries for each code, once, only in the
 * session or sign-in that asked for it, and the newest one only.
 */
import { randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { lockActive } from '../../../accounts/account/lock.js';
import type { AuditContext } from '../../../accounts/audit/audit-log.js';
import { RequestLimits } from '../../../accounts/limits/request-limits.js';
import { Outbox } from '../../../accounts/queue/outbox.js';
import { OneTimeSecrets } from '../../../accounts/secrets/one-time-secrets.js';
import type { OneTimeSlot } from '../../../accounts/secrets/one-time-secrets.js';
import { Keys, randomToken } from '../../../config/keys.js';
import { Database } from '../../../database/database.js';
import type { Schema } from '../../../database/schema.js';
import { Statement } from '../../../database/statement.js';

const DIGITS = 6;
const CODE_SECONDS = 600;
const MOST_TRIES = 5;
const MAIL = 'email-code-mail';

/** Sealed beside the code. */
interface Payload {
  /** Names the counter of its tries. */
  id: string;
  email: string;
  secret: string;
}

/** A right code that is not spent yet. */
export interface RightCode {
  email: string;
  /** Part of the transaction of what it was for. @returns false if it was spent or replaced meanwhile */
  spend(trx: Transaction<Schema>): Promise<boolean>;
}

/** Counted before the code is compared, so that parallel guesses cannot pass the limit. */
const COUNT_TRY = new Statement<{ key: string; seconds: number }, { tries: number }>(
  'email-code.count-try',
  ({ slot, now }) => sql`
    insert into attempt_counter as c (key, failures, expires_at)
    values (${slot('key')}, 1, ${now} + ${slot('seconds')}::double precision * interval '1 second')
    on conflict (key) do update set failures = least(c.failures + 1, 1000000)
    returning failures as tries`,
);

@Injectable()
export class MailedCodes {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly secrets: OneTimeSecrets,
    private readonly outbox: Outbox,
    private readonly limits: RequestLimits,
  ) {}

  /** Sends a code to the address; earlier ones of the slot are void. @returns seconds to wait, or null if it was sent */
  async send(slot: OneTimeSlot, email: string, by: AuditContext): Promise<number | null> {
    const { accountId } = slot;
    const wait = (await this.limits.countOwn(MAIL, accountId, by)) ?? (await this.#countAddress(by));
    if (wait !== null) return wait;
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
    const payload: Payload = { id: randomToken(), email, secret: this.#keyed(slot, code) };
    await this.database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx))) return;
      await this.secrets.discard(slot, trx);
      const issued = { ...slot, secret: payload.secret, payload: JSON.stringify(payload), lifetimeSeconds: CODE_SECONDS };
      const { expiresAt } = await this.secrets.issueWithExpiry(issued, trx);
      await this.outbox.queueRequested({ kind: 'email-code', accountId, values: { code }, expiresAt }, trx);
    });
    return null;
  }

  /** For a page; spends nothing. */
  async isWaiting(slot: OneTimeSlot): Promise<boolean> {
    return (await this.secrets.findWaiting(slot)) !== null;
  }

  /** @returns why it is not the right one: `challenge` if none is waiting */
  async check(slot: OneTimeSlot, typed: unknown): Promise<RightCode | 'code' | 'challenge'> {
    const code = typeof typed === 'string' ? typed.replaceAll(/\s/g, '') : '';
    const waiting = (await this.secrets.findWaiting(slot))?.payload;
    if (!waiting) return 'challenge';
    const { id, email, secret } = JSON.parse(waiting) as Payload;
    const key = `e:${this.keys.mac('limits', `email-code\n${id}`)}`;
    const [row] = await this.database.run(COUNT_TRY, { key, seconds: CODE_SECONDS });
    const tries = row?.tries ?? MOST_TRIES;
    if (tries <= MOST_TRIES && isSame(this.#keyed(slot, code), secret)) {
      return { email, spend: (trx) => this.secrets.spendAt(slot, secret, trx) };
    }
    // Only this one: a newer code may have taken its slot.
    if (tries >= MOST_TRIES) await this.database.transaction((trx) => this.secrets.spendAt(slot, secret, trx));
    return 'code';
  }

  async #countAddress({ address, requestId = '' }: AuditContext): Promise<number | null> {
    return address === undefined ? null : this.limits.count(MAIL, { address, requestId });
  }

  /** So short a code is kept under a key: whoever reads the table could try out a plain hash. */
  #keyed({ purpose, accountId, boundTo }: OneTimeSlot, code: string): string {
    return this.keys.mac('proof-code', ['email-code', purpose, accountId, boundTo, code].join('\n'));
  }
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
