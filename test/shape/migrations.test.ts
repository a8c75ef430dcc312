/** Checks that released migrations never change: otherwise an existing installation would have different tables than a new one. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../src/database/migrations/index.js';
import type { Migration } from '../../src/database/migrations/migration.js';

/** The SHA-256 of the statements in the release. Each release adds the lines of its new migrations. */
const RELEASED: readonly string[] = [
  '0001-accounts 81e335a4ec7815b98a7f49b6de5d6b6623b86690e2be342a7962f7bee73f58eb',
  '0002-limits dd215837203c10c6655ba6ef1d3d773d0c9c9e83d335f9ceaab02ab50e013ef3',
  '0003-sessions 2d6e8b566e781e211cfef95249a673f8970e17e375231cf2e6b129a98d3fcd69',
  '0004-factors e91a82ee0d2feaada712a949fa8f95cd9106b0214fedec0a3f6cd27a50080a59',
  '0005-secrets 02331df7602331173fb77201c9a5a7ad8f6873dd8bb464c4be603715897dca67',
  '0006-queue 092a1e72d939dbbcab947e4d5e3feaf3c21886561476dd29a9fbc6b7d913bf37',
  '0007-audit 5d0c2e36983aab7dfc195cfa62614bc9e0eea81526fa2382cb8331513cd475bd',
  '0008-identities d118bed8621184c60fd05afda200ad8719895c468f08b922cc5eefd68f7a7eb7',
  '0009-registrations a322c434d233728d2729f24af50669458e339f9900659e18254e8b9fd2f91c69',
  '0010-email-codes acfacb418ddebeea205a36a8b255d0241e8a82dceb62fe2c1e299bb4e738849c',
];

function toLine({ number, name, statements, indexes }: Migration): string {
  const content = indexes ? [...statements, indexes] : statements;
  const checksum = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `${String(number).padStart(4, '0')}-${name} ${checksum}`;
}

describe('the migrations', () => {
  it('begin with the migrations of the releases, unchanged', () => {
    expect(MIGRATIONS.slice(0, RELEASED.length).map(toLine)).toEqual(RELEASED);
  });

  it('have ascending numbers and unique names', () => {
    const numbers = MIGRATIONS.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
    expect(new Set(MIGRATIONS.map(({ name }) => name)).size).toBe(MIGRATIONS.length);
  });

  it('add no constraint that reads a whole table while the table is locked', () => {
    for (const { name, statements } of MIGRATIONS.slice(RELEASED.length)) {
      const checks = statements.filter((text) => /^alter table/i.test(text) && /\bcheck \(/i.test(text));
      expect([name, checks.filter((text) => !/\bnot valid\b/i.test(text))]).toEqual([name, []]);
    }
  });

  it('write no rows of existing tables, because an earlier statement may have locked such a table until the end', () => {
    for (const { name, statements } of MIGRATIONS.slice(RELEASED.length)) {
      const isWritten = (text: string): boolean => /^\s*(?:update|delete from)\b/i.test(text);
      expect([name, statements.filter(isWritten)]).toEqual([name, []]);
    }
  });

  it('create indexes on existing tables in a separate step', () => {
    for (const { name, statements, indexes } of MIGRATIONS) {
      if (indexes) expect([name, statements]).toEqual([name, []]);
      const created = statements.flatMap((text) => /create (?:unlogged )?table (\w+)/i.exec(text)?.[1] ?? []);
      const indexed = statements.flatMap((text) => /create (?:unique )?index .*? on (\w+)/is.exec(text)?.[1] ?? []);
      expect([name, indexed.filter((table) => !created.includes(table))]).toEqual([name, []]);
    }
  });
});
