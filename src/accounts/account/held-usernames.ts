/**
 * Names that somebody gave up are held back for them (VAL-5): whoever took one at once would get trust, and mail at apps
 * that know people by name, which is meant for another person.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { UsernamesHeld, UsernameTaken } from './account.errors.js';

/**
 * Called after the name was written, in the same transaction: the unique index has then waited for whoever gave it up.
 * @throws UsernameTaken when the name is held for somebody else
 */
export async function requireNotHeld(
  x: { key: string; accountId: string; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  const held = await trx
    .selectFrom('held_username')
    .select('username_key')
    .where('username_key', '=', x.key)
    .where('held_until', '>', x.now)
    .where('account_id', 'is distinct from', x.accountId)
    .executeTakeFirst();
  if (held) throw new UsernameTaken();
}

/** Names that one person may keep from everybody else at a time. */
const MOST_HELD = 10;

/**
 * Called under the account's lock.
 * @throws UsernamesHeld when it holds too many: whoever went on could keep every good name from everybody
 */
export async function requireFewHeld(
  { accountId, now }: { accountId: string; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  const held = await trx
    .selectFrom('held_username')
    .select(sql<number>`extract(epoch from min(held_until) - ${now})::double precision`.as('wait'))
    .where('account_id', '=', accountId)
    .where('held_until', '>', now)
    .having(sql`count(*)`, '>=', MOST_HELD)
    .executeTakeFirst();
  if (held) throw new UsernamesHeld(Math.ceil(held.wait));
}

export async function holdBack(
  x: { key: string; accountId: string; now: RawBuilder<Date>; seconds: number },
  trx: Transaction<Schema>,
): Promise<void> {
  if (x.seconds === 0) return;
  const held_until = sql<Date>`${x.now} + ${x.seconds}::double precision * interval '1 second'`;
  await trx
    .insertInto('held_username')
    .values({ username_key: x.key, account_id: x.accountId, held_until })
    .onConflict((conflict) => conflict.column('username_key').doUpdateSet({ account_id: x.accountId, held_until }))
    .execute();
}
