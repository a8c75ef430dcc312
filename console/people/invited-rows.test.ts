import { describe, expect, it } from '@jest/globals';
import { readInvitedRows, splitInvitedRows } from './invited-rows.js';

describe('a file of people to invite', () => {
  it('[INV-6] has addresses or JSON objects, with the numbers of their lines', () => {
    expect(readInvitedRows('\uFEFFnele@example.org\r\n\r\n {"email":"nils@example.org","groups":["Sales"]}\n')).toEqual([
      { line: 1, members: { email: 'nele@example.org' } },
      { line: 3, members: { email: 'nils@example.org', groups: ['Sales'] } },
    ]);
  });

  it.each(['', '\n', 'nele', '{"email":', 'a@example.org\n'.repeat(1001)])('cannot be read (%#)', (text) => {
    expect(readInvitedRows(text)).toBeNull();
  });

  it('is sent in calls of at most 100 rows, and of at most 16,000 characters', () => {
    const manyRows = readInvitedRows('a@example.org\n'.repeat(250)) ?? [];
    expect(splitInvitedRows(manyRows).map(({ length }) => length)).toEqual([100, 100, 50]);
    const longRows = manyRows.slice(0, 3).map((row) => ({ ...row, members: { email: 'a'.repeat(9000) } }));
    expect(splitInvitedRows(longRows).map(({ length }) => length)).toEqual([1, 1, 1]);
  });
});
