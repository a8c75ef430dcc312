/**
 * Stores the skeletons of usernames that version 0.1 wrote or reserved, when the gateway starts and then at intervals: during a
 * rolling upgrade an older gateway still writes names without skeletons. Such names are missing from the index that
 * finds look-alikes. Several replicas may store skeletons concurrently.
 */
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { LOG } from '../../config/log.token.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { AccountNames } from './account-names.js';
import { storeHeldSkeletons } from './held-usernames.js';

const INTERVAL_MS = 60 * 60 * 1000;
const BATCH = 500;

interface NameWithoutSkeletons {
  accountId: string;
  username: string;
  seq: number;
}

@Injectable()
export class UsernameSkeletonFiller implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly names: AccountNames,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.#run();
    this.#timer = setInterval(() => this.#run(), INTERVAL_MS);
    this.#timer.unref();
  }

  onModuleDestroy(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  /** @returns number of names that had no skeletons */
  async fill(): Promise<number> {
    const accountNames = await this.#runInBatches(0, (lastKey, trx) => this.#fillAccountNames(lastKey, trx));
    const reservedNames = await this.#runInBatches('', (lastKey, trx) => this.#fillReservedNames(lastKey, trx));
    return accountNames + reservedNames;
  }

  /** @param batch returns the keys of the rows that it filled, in order; the next batch begins after the last key */
  async #runInBatches<Key>(startKey: Key, batch: (lastKey: Key, trx: Transaction<Schema>) => Promise<Key[]>): Promise<number> {
    let count = 0;
    for (let lastKey = startKey; !this.#isStopped;) {
      const keys = await this.database.transaction((trx) => batch(lastKey, trx));
      count += keys.length;
      const nextKey = keys.at(-1);
      if (nextKey === undefined || keys.length < BATCH) break;
      lastKey = nextKey;
    }
    return count;
  }

  /** Skips locked rows: another replica is filling them, or they are being changed and the next run fills them. */
  async #fillAccountNames(lastKey: number, trx: Transaction<Schema>): Promise<number[]> {
    const { rows } = await sql<NameWithoutSkeletons>`
      select id as "accountId", username, seq from account
      where seq > ${lastKey} and looked_username is distinct from username
      order by seq limit ${BATCH} for no key update skip locked`.execute(trx);
    if (rows.length === 0) return [];
    await this.names.storeSkeletons(rows, trx);
    const ids = rows.map(({ accountId }) => accountId);
    await sql`update account set looked_username = username where id = any(${ids}::uuid[])`.execute(trx);
    return rows.map(({ seq }) => seq);
  }

  async #fillReservedNames(lastKey: string, trx: Transaction<Schema>): Promise<string[]> {
    const { rows } = await sql<{ key: string }>`
      select username_key as key from held_username
      where username_key > ${lastKey} and not has_looks
      order by username_key limit ${BATCH} for no key update skip locked`.execute(trx);
    if (rows.length === 0) return [];
    const keys = rows.map(({ key }) => key);
    // The spelling of a reserved name is unknown; only its key is stored.
    await storeHeldSkeletons(
      keys.map((key) => ({ key, username: key })),
      trx,
    );
    await sql`update held_username set has_looks = true where username_key = any(${keys}::text[])`.execute(trx);
    return keys;
  }

  #run(): void {
    this.fill().catch((err: unknown) => {
      if (!this.#isStopped)
        this.log.warn(
          { err },
          'the skeletons of usernames, by which look-alikes are found, could not be stored; the next run tries again',
        );
    });
  }
}
