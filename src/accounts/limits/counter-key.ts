/**
 * The key of the attempt counters, one for all gateways. Derived from the newest secret, gateways with different orders of
 * `SECRETS_SYSTEM` would count the same wrong passwords apart, and a rotation would start all counters anew. So it is
 * stored, sealed: the first start derives it, as the previous version did.
 */
import { sql } from 'kysely';
import type { Keys } from '../../config/keys.js';
import type { Database } from '../../database/database.js';

const PURPOSE = 'limits';

/**
 * Lets `keys` use the stored key, sealed again if an older secret sealed it.
 *
 * @returns false if no listed secret opens it: a new one replaces it, and all counters start anew
 */
export async function useStoredCounterKey(keys: Keys, database: Database): Promise<boolean> {
  const derived = keys.derive(PURPOSE).toString('base64url');
  await sql`
    insert into installation_key (purpose, sealed) values (${PURPOSE}, ${keys.seal('kept-key', derived)})
    on conflict (purpose) do nothing`.execute(database.db);
  const { rows } = await sql<{ sealed: string }>`select sealed from installation_key where purpose = ${PURPOSE}`.execute(
    database.db,
  );
  const sealed = rows[0]?.sealed ?? '';
  const opened = keys.openKept('kept-key', sealed);
  if (opened?.outdated !== false) {
    const renewed = keys.seal('kept-key', opened?.plaintext ?? derived);
    // Only what was read: another gateway may have sealed it meanwhile.
    await sql`update installation_key set sealed = ${renewed} where purpose = ${PURPOSE} and sealed = ${sealed}`.execute(
      database.db,
    );
  }
  keys.use(PURPOSE, Buffer.from(opened?.plaintext ?? derived, 'base64url'));
  return opened !== null;
}
