/**
 * The key of the attempt counters is stored, sealed, so that all gateways use the same key. If each gateway derived the key from its
 * newest secret, gateways with different orders of `SECRETS_SYSTEM` would count the same wrong passwords separately, and a rotation of
 * the secrets would reset all counters. The first start derives the key, as the previous version did.
 */
import { sql } from 'kysely';
import type { Keys } from '../../config/keys.js';
import type { Database } from '../../database/database.js';

const PURPOSE = 'limits';

/**
 * Makes `keys` use the stored key, and seals the key again if an older secret sealed it.
 *
 * @returns false if no configured secret opens the stored key: then a new key replaces it, and all counters start again at 0
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
    // Replaces only the value that was read: another gateway may have sealed the key in the meantime.
    await sql`update installation_key set sealed = ${renewed} where purpose = ${PURPOSE} and sealed = ${sealed}`.execute(
      database.db,
    );
  }
  keys.use(PURPOSE, Buffer.from(opened?.plaintext ?? derived, 'base64url'));
  return opened !== null;
}
