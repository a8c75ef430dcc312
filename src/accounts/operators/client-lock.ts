/** Serialises the changes of one client at Hydra across all gateways, because Hydra has no conditional write. */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';

/** Any number that no other lock of this kind uses. */
const LOCK_SEED = 90;

@Injectable()
export class ClientLock {
  constructor(private readonly database: Database) {}

  /**
   * Occupies a database connection while the work runs.
   * @param work may be repeated, like every transaction
   */
  run<Result>(clientId: string, work: () => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${clientId}, ${LOCK_SEED}))`.execute(trx);
      return work();
    });
  }
}
