import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AuditLog } from '../../../src/accounts/audit/audit-log.js';
import { AccountExports } from '../../../src/accounts/transfer/exports.js';
import { describeOnDatabases } from '../../support/databases.js';

describeOnDatabases('an export', (test) => {
  it('pauses after each page but the last, so that people can sign in meanwhile', async () => {
    await sql`
      insert into account (username, username_key, display_name, created_at, updated_at)
      select 'p' || number, 'p' || number, 'P', now(), now() from generate_series(1, 250) number`.execute(test.database.db);
    const exports = new AccountExports(test.database, new AuditLog(test.database));
    const rests: number[] = [];
    exports.pause = async (milliseconds) => void rests.push(milliseconds);
    const sizes: number[] = [];
    for await (const page of exports.pages({ passwordHashes: false, totpSecrets: false }, { actor: 'operator' })) {
      sizes.push(page.length);
    }
    expect(sizes).toEqual([100, 100, 50]);
    expect(rests).toEqual([expect.any(Number), expect.any(Number)]);
    for (const rest of rests) expect(rest).toBeGreaterThan(0);
  });
});
