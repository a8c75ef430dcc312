import { describe, expect, it } from '@jest/globals';
import type { InvitationRow, NewInvitation } from '../api/calls.js';
import { readInvitedRows, sendInvitedRows, splitInvitedRows } from './invited-rows.js';

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

  it('[INV-6] is continued after a failure, so that nobody is invited twice', async () => {
    const lines = Array.from({ length: 250 }, (_, index) => `person-${index}@example.org`);
    const file = { rows: readInvitedRows(lines.join('\n\n')) ?? [], answers: [] };
    const sentAddresses: string[] = [];
    let calls = 0;
    const send = async (invitations: readonly NewInvitation[]): Promise<InvitationRow[]> => {
      calls += 1;
      if (calls === 2) throw new Error('The server does not answer.');
      sentAddresses.push(...invitations.map(({ email }) => email));
      return invitations.map(({ email }, index) => ({ row: index + 1, email, result: 'invited' }));
    };
    await expect(sendInvitedRows(file, send)).rejects.toThrow('does not answer');
    const answers = await sendInvitedRows(file, send);
    expect(sentAddresses).toEqual(lines);
    expect(answers.map(({ row, email }) => [row, email])).toEqual(lines.map((line, index) => [index * 2 + 1, line]));
  });
});
