/**
 * Failures that are no known account's: they count for the address from which they come, like wrong passwords, and lock nobody
 * out.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { AuditLog, eventValues, type AuditEvent } from '../audit/audit-log.js';
import { addressCounter } from './attempt-keys.js';
import { FAIL, NOTE_LIMIT, failLimits } from './attempt-statements.js';

/** Columns of a statement with `addressCounterSql` in it. `wait`: seconds. */
export interface AddressRow {
  address_failures: number;
  address_wait: number | null;
}

@Injectable()
export class AddressFailures {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
  ) {}

  /** For a statement with `addressCounterSql` in it. */
  keyOf(address: string): string {
    return addressCounter(this.keys, address);
  }

  /** @returns seconds that the address has to wait; null if it need not. Writes one event for each wait */
  async waitOf({ address_failures, address_wait }: AddressRow, event: AuditEvent & { address: string }): Promise<number | null> {
    if (address_failures < this.config.limits.addressFailures) return null;
    const { account, address, request } = eventValues(event);
    const noted = await this.database.run(NOTE_LIMIT, {
      key: this.keyOf(event.address),
      kind: event.kind,
      account,
      address,
      request,
    });
    if (noted.length > 0) this.audit.count(event);
    return Math.max(Math.ceil(address_wait ?? 0), 1);
  }

  /** Counts a failure and records it. */
  async fail(event: AuditEvent & { address: string }): Promise<void> {
    await this.database.run(FAIL, {
      addressKey: this.keyOf(event.address),
      subject: null,
      ...failLimits(this.config.limits),
      ...eventValues(event),
    });
    this.audit.count(event);
  }
}
