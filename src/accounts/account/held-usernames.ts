/**
 * A username that was given up stays reserved for its former owner (VAL-5), and with it the names that look like it.
 * Otherwise the next owner of the name would receive trust and mail at apps that identify people by name.
 */
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { interval } from '../../database/statement.js';
import { UsernameHeld, TooManyHeldUsernames } from './account.errors.js';
import { toSkeletons } from './look-alikes.js';

/**
 * Must run after the name was written, in the same transaction: the unique index has then waited for a concurrent
 * release of the name.
 * @throws UsernameHeld when the name is reserved for another account, or for an account that was deleted
 */
export async function requireNotReserved(
  name: { key: string; accountId: string; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  const reservation = await trx
    .selectFrom('held_username')
    .select('username_key')
    .where('username_key', '=', name.key)
    .where('held_until', '>', name.now)
    .where('account_id', 'is distinct from', name.accountId)
    .executeTakeFirst();
  if (reservation) throw new UsernameHeld();
}

/** Maximum number of names that one account reserves at a time. */
const MAX_RESERVATIONS = 10;

/**
 * Must run while the account is locked.
 * @throws TooManyHeldUsernames when the account reserves too many names; without a limit, one account could reserve all popular
 * names
 */
export async function requireFewReservations(
  { accountId, now }: { accountId: string; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  const reservation = await trx
    .selectFrom('held_username')
    .select(sql<number>`extract(epoch from min(held_until) - ${now})::double precision`.as('wait'))
    .where('account_id', '=', accountId)
    .where('held_until', '>', now)
    .having(sql`count(*)`, '>=', MAX_RESERVATIONS)
    .executeTakeFirst();
  if (reservation) throw new TooManyHeldUsernames(Math.ceil(reservation.wait));
}

/** Reserves the name for `seconds`; 0 reserves nothing. If `accountId` is null, no account can take the name during this time. */
export async function reserveUsername(
  name: { username: string; key: string; accountId: string | null; now: RawBuilder<Date>; seconds: number },
  trx: Transaction<Schema>,
): Promise<void> {
  if (name.seconds === 0) return;
  const held_until = sql<Date>`${name.now} + ${interval(name.seconds)}`;
  await trx
    .insertInto('held_username')
    .values({ username_key: name.key, account_id: name.accountId, held_until, has_looks: true })
    .onConflict((conflict) =>
      conflict.column('username_key').doUpdateSet({ account_id: name.accountId, held_until, has_looks: true }),
    )
    .execute();
  await storeHeldSkeletons([name], trx);
}

/** Skips names that were released in the meantime. */
export async function storeHeldSkeletons(names: readonly { key: string; username: string }[], db: Kysely<Schema>): Promise<void> {
  const rows = names.flatMap(({ key, username }) => toSkeletons(username).map((skeleton) => ({ key, skeleton })));
  await sql`
    insert into held_username_look (username_key, skeleton)
    select h.username_key, l.skeleton
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l(key text, skeleton text)
      join held_username h on h.username_key = l.key
    for key share of h
    on conflict do nothing`.execute(db);
}

/** Runs before an account is deleted. Its username and its former usernames stay reserved until the reservations expire. */
export async function keepUsernamesReserved(
  name: { username: string; key: string; accountId: string; now: RawBuilder<Date>; seconds: number },
  trx: Transaction<Schema>,
): Promise<void> {
  await trx.updateTable('held_username').set({ account_id: null }).where('account_id', '=', name.accountId).execute();
  await reserveUsername({ ...name, accountId: null }, trx);
}
