/**
 * A browser gets a new id at every proof, so that one that was planted or seen before is worthless. What waits or is signed in
 * there goes on under the new id.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';

/**
 * The part `locked`: the open sign-ins and challenges of a browser, locked in one order. Two tabs of a browser come to their ends
 * at the same time, and would block each other in different orders. PostgreSQL evaluates the part before what refers to it.
 * @param first a part that is evaluated before
 */
export function lockBrowserSql(browser: RawBuilder<string>, first?: RawBuilder<unknown>): RawBuilder<unknown> {
  const isAfter = first ? sql`and (select count(*) from ${first}) >= 0` : sql``;
  return sql`
    sign_ins as (
      select id from sign_in where browser_hash = ${browser} and state <> 'answered' ${isAfter} order by id for update
    ), locked as (
      select challenge_hash from challenge_record
      where browser_hash = ${browser} and finished_at is null and (select count(*) from sign_ins) >= 0
      order by challenge_hash, kind for update
    )`;
}

/**
 * The parts that give everything of a browser its new id, after `locked`. @param x `condition`: nothing moves unless it holds;
 * `except`: id of the sign-in that the statement changes itself
 */
export function moveBrowserSql(x: {
  old: RawBuilder<string>;
  next: RawBuilder<string>;
  condition: RawBuilder<unknown>;
  except?: RawBuilder<string>;
}): RawBuilder<unknown> {
  const { old, next, condition, except } = x;
  const isOther = except ? sql`and id <> ${except}` : sql``;
  return sql`
    moved_sign_ins as (
      update sign_in set browser_hash = ${next} where browser_hash = ${old} and state <> 'answered' ${isOther} and ${condition}
    ), moved_challenges as (
      update challenge_record set browser_hash = ${next} where browser_hash = ${old} and finished_at is null and ${condition}
    ), moved_sessions as (
      update browser_session set browser_hash = ${next} where browser_hash = ${old} and ${condition}
    )`;
}

const MOVE = new Statement<{ old: string; next: string }, never>('browser-id.move', ({ param }) => {
  const [old, next] = [param('old'), param('next')];
  return sql`
    with ${lockBrowserSql(old)}, ${moveBrowserSql({ old, next, condition: sql`(select count(*) from locked) >= 0` })}
    update manage_session set entry_browser_hash = ${next} where entry_browser_hash = ${old}`;
});

@Injectable()
export class BrowserIds {
  constructor(private readonly database: Database) {}

  async move(old: string, next: string): Promise<void> {
    await this.database.run(MOVE, { old: fingerprint(old), next: fingerprint(next) });
  }
}
