/**
 * Seals TOTP seeds with the newest secret after a rotation of `SECRETS_SYSTEM`, so that the older secret can be removed. Runs
 * once after each start in small batches; replicas may run it concurrently.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Keys } from '../../../config/keys.js';
import { Database } from '../../../database/database.js';
import { realPause, type Pause } from '../../../database/pause.js';

const BATCH_SIZE = 200;
/** The pause after a batch, as a multiple of the time that the batch took, so that sign-ins are not slowed down. */
const PAUSE_FACTOR = 9;
/** Sorts before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class SeedResealer {
  /** Replaced in tests. */
  pause: Pause = realPause;

  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
  ) {}

  /** @returns how many seeds were resealed, and how many no configured secret can open */
  async reseal(): Promise<{ resealed: number; lost: number }> {
    const counts = { resealed: 0, lost: 0, current: 0 };
    for (let afterId: string | undefined = FIRST_ID; afterId !== undefined;) {
      const startedAt = performance.now();
      const rows = await this.#listRowsAfter(afterId);
      for (const row of rows) counts[await this.#resealOne(row)] += 1;
      afterId = rows.length < BATCH_SIZE ? undefined : rows.at(-1)?.account_id;
      if (afterId !== undefined) await this.pause(PAUSE_FACTOR * (performance.now() - startedAt));
    }
    return { resealed: counts.resealed, lost: counts.lost };
  }

  async #resealOne({ account_id, secret }: SeedRow): Promise<'resealed' | 'lost' | 'current'> {
    const seed = this.keys.openKept('totp-seed', secret);
    if (!seed) return 'lost';
    if (!seed.outdated) return 'current';
    const sealedSeed = this.keys.seal('totp-seed', seed.plaintext);
    // Updates only the value that was read: another app may have been set up since, or another gateway may have sealed the seed.
    const { rows } = await sql`
      update totp_factor set secret = ${sealedSeed} where account_id = ${account_id} and secret = ${secret}
      returning account_id`.execute(this.database.db);
    return rows.length > 0 ? 'resealed' : 'current';
  }

  async #listRowsAfter(accountId: string): Promise<SeedRow[]> {
    return this.database.db
      .selectFrom('totp_factor')
      .select(['account_id', 'secret'])
      .where('account_id', '>', accountId)
      .orderBy('account_id')
      .limit(BATCH_SIZE)
      .execute();
  }
}

interface SeedRow {
  account_id: string;
  secret: string;
}
