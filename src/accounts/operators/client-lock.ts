/** Keeps the changes of one client at Hydra apart, on all gateways: Hydra has no conditional write. */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';

/** Any number that no other lock of this kind uses. */
const LOCK_SEED = 90;

@Injectable()
export class ClientLock {
  constructor(private readonly database: Database) {}

  /**
   * A connection of the database waits for the work.
   * @param work may be repeated, as every transaction
   */
  run<Result>(clientId: string, work: () => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${clientId}, ${LOCK_SEED}))`.execute(trx);
      return work();
    });
  }
}
