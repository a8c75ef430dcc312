/**
 * The key of the attempt counters is stored, sealed, so that all gateways use the same key. If each gateway derived the key from its
 * newest secret, gateways with different orders of `SECRETS_SYSTEM` would count the same wrong passwords separately, and a rotation of
 * the secrets would reset all counters. The first start derives the key from its newest secret and stores it.
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
  const derivedKey = keys.derive(PURPOSE).toString('base64url');
  await sql`
    insert into installation_key (purpose, sealed) values (${PURPOSE}, ${keys.seal('kept-key', derivedKey)})
    on conflict (purpose) do nothing`.execute(database.db);
  const { rows } = await sql<{ sealed: string }>`select sealed from installation_key where purpose = ${PURPOSE}`.execute(
    database.db,
  );
  const sealedKey = rows[0]?.sealed ?? '';
  const openedKey = keys.openKept('kept-key', sealedKey);
  if (openedKey?.outdated !== false) {
    const renewedKey = keys.seal('kept-key', openedKey?.plaintext ?? derivedKey);
    // Replaces only the value that was read: another gateway may have sealed the key since.
    await sql`update installation_key set sealed = ${renewedKey} where purpose = ${PURPOSE} and sealed = ${sealedKey}`.execute(
      database.db,
    );
  }
  keys.use(PURPOSE, Buffer.from(openedKey?.plaintext ?? derivedKey, 'base64url'));
  return openedKey !== null;
}
