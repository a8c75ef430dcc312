/**
 * A browser gets a new id when a second factor or a task is outstanding, when a login is accepted and at a logout, so that an id that an
 * attacker planted or has seen before does not lead to a session. The waiting sign-ins and the sessions of the browser move to the new id. The
 * remaining uses of the previous id are in `sign-in-statements.ts` (the repeated answer to a form), `sign-in.ts` (forms of older tabs) and
 * `registration-tickets.ts`.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { fingerprint, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';

/**
 * A condition that is always true. PostgreSQL evaluates a common table expression only as far as it is read. The count reads all of
 * `part`, so that all its rows are locked before the condition is true.
 */
export function isAfterSql(part: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(select count(*) from ${part}) >= 0`;
}

/**
 * The common table expressions `sign_ins` and `locked`: the sign-ins of a browser that are not answered and its challenges that are not
 * finished, locked in a fixed order. Two tabs of a browser may finish at the same time, and would deadlock if they locked in different
 * orders.
 * @param precedingTable a common table expression that is evaluated first
 */
export function lockBrowserSql(browser: RawBuilder<string>, precedingTable?: RawBuilder<unknown>): RawBuilder<unknown> {
  const isAfter = precedingTable ? sql`and ${isAfterSql(precedingTable)}` : sql``;
  return sql`
    sign_ins as (
      select id from sign_in where browser_hash = ${browser} and state <> 'answered' ${isAfter} order by id for update
    ), locked as (
      select challenge_hash from challenge_record
      where browser_hash = ${browser} and finished_at is null and ${isAfterSql(sql`sign_ins`)}
      order by challenge_hash, kind for update
    )`;
}

/**
 * Common table expressions that move the sign-ins, challenges and browser sessions of a browser to its new id; they follow `locked`. The
 * statement that contains them moves the manage sessions.
 * @param parts `formerId`: the old id, sealed; `condition`: nothing moves unless it is true; `exceptSignIn`: id of the sign-in that the statement
 *   changes itself
 */
export function moveBrowserSql(parts: {
  oldId: RawBuilder<string>;
  newId: RawBuilder<string>;
  formerId: RawBuilder<string>;
  condition: RawBuilder<unknown>;
  exceptSignIn?: RawBuilder<string>;
}): RawBuilder<unknown> {
  const { oldId, newId, formerId, condition, exceptSignIn } = parts;
  const isOther = exceptSignIn ? sql`and id <> ${exceptSignIn}` : sql``;
  return sql`
    moved_sign_ins as (
      update sign_in set browser_hash = ${newId}, former_browsers = ${addFormerBrowserSql(formerId)}
      where browser_hash = ${oldId} and state <> 'answered' ${isOther} and ${condition}
    ), moved_challenges as (
      update challenge_record set browser_hash = ${newId} where browser_hash = ${oldId} and finished_at is null and ${condition}
    ), moved_sessions as (
      update browser_session set browser_hash = ${newId} where browser_hash = ${oldId} and ${condition}
    )`;
}

/** Limits the size of a row: a person may sign in any number of times while another tab stays open. */
const MAX_FORMER_BROWSERS = sql.raw('20');

/** SQL of the new value of the column `former_browsers`. @param formerId an id, sealed */
export function addFormerBrowserSql(formerId: RawBuilder<string>): RawBuilder<string[]> {
  return sql`(${formerId}::text || former_browsers)[:${MAX_FORMER_BROWSERS}]`;
}

const MOVE = new Statement<{ oldId: string; newId: string; formerId: string }, never>('browser-id.move', ({ param }) => {
  const [oldId, newId, formerId] = [param('oldId'), param('newId'), param('formerId')];
  const condition = isAfterSql(sql`locked`);
  return sql`
    with ${lockBrowserSql(oldId)}, ${moveBrowserSql({ oldId, newId, formerId, condition })}
    update manage_session set entry_browser_hash = ${newId} where entry_browser_hash = ${oldId}`;
});

@Injectable()
export class BrowserIds {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
  ) {}

  async move(oldId: string, newId: string): Promise<void> {
    const formerId = this.keys.seal('sign-in', oldId);
    await this.database.run(MOVE, { oldId: fingerprint(oldId), newId: fingerprint(newId), formerId });
  }
}
