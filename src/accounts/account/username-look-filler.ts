/**
 * Stores the looks of usernames that version 0.1 wrote or reserved, at the start and then at intervals: during a rolling
 * upgrade an older gateway goes on writing names without them. Replicas may run it concurrently.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { LOG } from '../../config/log.token.js';
import { Database } from '../../database/database.js';
import { AccountNames } from './account-names.js';
import { storeHeldLooks } from './held-usernames.js';

const EVERY_MS = 60 * 60 * 1000;
const BATCH = 500;

interface Unlooked {
  accountId: string;
  username: string;
  seq: number;
}

@Injectable()
export class UsernameLookFiller implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    private readonly database: Database,
    private readonly names: AccountNames,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.#run();
    this.#timer = setInterval(() => this.#run(), EVERY_MS);
    this.#timer.unref();
  }

  onModuleDestroy(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  /** @returns number of names that had none */
  async fill(): Promise<number> {
    const { database, names } = this;
    const used = await this.#inBatches(0, async (after) => {
      const rows = await this.#used(after);
      await names.storeLooks(rows, database.db);
      return rows.map(({ seq }) => seq);
    });
    const held = await this.#inBatches('', async (after) => {
      const keys = await this.#held(after);
      // Their spelling is not known any more, only the key.
      const looks = keys.map((key) => ({ key, username: key }));
      await storeHeldLooks(looks, database.db);
      return keys;
    });
    return used + held;
  }

  /** @param batch returns the keys of the rows that it stored, in order; the next one begins after the last */
  async #inBatches<Key>(first: Key, batch: (after: Key) => Promise<Key[]>): Promise<number> {
    let filled = 0;
    for (let after = first; !this.#isOver;) {
      const keys = await batch(after);
      filled += keys.length;
      const last = keys.at(-1);
      if (last === undefined || keys.length < BATCH) break;
      after = last;
    }
    return filled;
  }

  async #used(after: number): Promise<Unlooked[]> {
    const { rows } = await sql<Unlooked>`
      select a.id as "accountId", a.username, a.seq from account a
      where a.seq > ${after}
        and not exists (select from username_look l where l.account_id = a.id and l.username = a.username)
      order by a.seq limit ${BATCH}`.execute(this.database.db);
    return rows;
  }

  async #held(after: string): Promise<string[]> {
    const { rows } = await sql<{ key: string }>`
      select username_key as key from held_username h
      where username_key > ${after}
        and not exists (select from held_username_look l where l.username_key = h.username_key)
      order by username_key limit ${BATCH}`.execute(this.database.db);
    return rows.map(({ key }) => key);
  }

  #run(): void {
    this.fill().catch((err: unknown) => {
      if (!this.#isOver) this.log.warn({ err }, 'looks of usernames could not be stored');
    });
  }
}
