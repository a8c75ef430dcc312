/** Authenticator apps in imports and exports, with unencrypted seeds. */
import { sql } from 'kysely';
import { AccountFieldInvalid } from '../../../accounts/account/account.errors.js';
import type { Keys } from '../../../config/keys.js';
import type { Database } from '../../../database/database.js';
import { Statement } from '../../../database/statement.js';
import { FactorUnreadable } from '../../factor.errors.js';
import type { FactorTransfer } from '../../factor.port.js';
import { TOTP } from './totp.kind.js';

/** At least 128 bits (RFC 4226, section 4, R6) and at most 512, because apps hash longer seeds first, in different ways. */
const SEED = /^[A-Z2-7]{26,103}$/;

const INSERT = new Statement<{ rows: string }, never>(
  'totp.import',
  ({ param, now }) => sql`
    insert into totp_factor (account_id, secret, last_step, created_at)
    select id, seed, 0, ${now} from jsonb_to_recordset(${param('rows')}::jsonb) as r(id uuid, seed text)`,
);

export function buildTotpTransfer(database: Database, keys: Keys): FactorTransfer {
  return {
    secret: { member: 'totp_secret', check: checkSeed },
    async insert(seeds, trx) {
      const rows = [...seeds].map(([id, seed]) => ({ id, seed: keys.seal('totp-seed', seed) }));
      await database.run(INSERT, { rows: JSON.stringify(rows) }, trx);
    },
    async read(accountIds) {
      const { rows } = await sql<{ account_id: string; secret: string }>`
        select account_id, secret from totp_factor where account_id = any(${accountIds}::uuid[])`.execute(database.db);
      return new Map(rows.map(({ account_id, secret }) => [account_id, openSeed(keys, secret)]));
    },
  };
}

/** @throws AccountFieldInvalid */
function checkSeed(text: string): string {
  const seed = text.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase();
  // The base32 text of whole bytes never has one of these remainders.
  if (SEED.test(seed) && ![1, 3, 6].includes(seed.length % 8)) return seed;
  throw new AccountFieldInvalid('totpSecret', 'format', 'totpSecret must be 16 to 64 bytes in base32.');
}

function openSeed(keys: Keys, sealedSeed: string): string {
  const seed = keys.open('totp-seed', sealedSeed);
  if (seed === null) throw new FactorUnreadable(TOTP.name);
  return seed;
}
