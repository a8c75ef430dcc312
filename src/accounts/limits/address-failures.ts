/**
 * Failures that count only against the address from which they come, such as failed sign-ins with passkeys. They do not count against an
 * account, so they do not lock it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { AuditLog, toEventValues, type AuditContext, type AuditEvent } from '../audit/audit-log.js';
import { toAddressCounter } from './attempt-keys.js';
import { FAIL, NOTE_LIMIT, findAddressCounterSql, toFailLimits } from './attempt-statements.js';

/** Who makes an attempt, from which address, and the account of the credential if it is known. */
export type AddressAttempt = AuditContext & {
  address: string;
  accountId?: string;
  /** A known device does not wait: the failures at its address may be those of others. */
  isKnownDevice: boolean;
};

/** @member counts the audit event of a failure that counts against the limit of the address; null for any other failure */
export type AddressOutcome<Proof, Refusal> =
  | { kind: 'proven'; proof: Proof }
  | { kind: 'refused'; refusal: Refusal; counts: Pick<AuditEvent, 'kind' | 'detail'> | null };

const FIND_WAIT = new Statement<{ address: string }, { failures: number; wait: number | null }>(
  'address-failures.wait',
  ({ param, now }) => sql`
    with ${findAddressCounterSql({ address: param('address'), now })}
    select failures, extract(epoch from blocked_until - ${now})::double precision as wait from address_counter`,
);

@Injectable()
export class AddressFailures {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
  ) {}

  /**
   * Runs the check unless the address has to wait, which does not apply to a known device. Counts a refusal whose `counts` is not
   * null.
   */
  async judge<Proof, Refusal>(
    { isKnownDevice, ...attempt }: AddressAttempt,
    check: () => Promise<AddressOutcome<Proof, Refusal>>,
  ): Promise<
    { kind: 'proven'; proof: Proof } | { kind: 'refused'; refusal: Refusal } | { kind: 'limited'; retryAfterSeconds: number }
  > {
    const wait = isKnownDevice ? null : await this.#findWait(attempt);
    if (wait !== null) return { kind: 'limited', retryAfterSeconds: wait };
    const outcome = await check();
    if (outcome.kind === 'refused' && outcome.counts) await this.#fail({ ...attempt, ...outcome.counts });
    return outcome;
  }

  /** Writes one event for each wait. @returns seconds that the address has to wait; null if it does not have to wait */
  async #findWait(attempt: Omit<AddressAttempt, 'isKnownDevice'>): Promise<number | null> {
    const key = toAddressCounter(this.keys, attempt.address);
    const [row] = await this.database.run(FIND_WAIT, { address: key });
    if (!row || row.failures < this.config.limits.addressFailures) return null;
    const event = { ...attempt, kind: 'factor.limited' as const };
    const { account, address, request } = toEventValues(event);
    const events = await this.database.run(NOTE_LIMIT, { key, kind: event.kind, account, address, request });
    if (events.length > 0) this.audit.count(event);
    return Math.max(Math.ceil(row.wait ?? 0), 1);
  }

  async #fail(event: AuditEvent & { address: string }): Promise<void> {
    await this.database.run(FAIL, {
      addressKey: toAddressCounter(this.keys, event.address),
      counterKey: null,
      ...toFailLimits(this.config.limits),
      ...toEventValues(event),
    });
    this.audit.count(event);
  }
}
