import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { CliFailure, EXIT } from '../cli-failure.js';
import { GivenOptions, type Call } from '../command.js';
import { invitationImport } from './invitations.js';

const LINES_OF_A_CALL = 100;

/** @returns the failure of an import whose second call to the API fails */
async function importLines(lines: readonly string[]): Promise<unknown> {
  let callCount = 0;
  const api = {
    inviteMany: (rows: readonly unknown[]) => {
      callCount += 1;
      if (callCount === 2) return Promise.reject(new CliFailure(EXIT.unreachable, 'unreachable', 'No answer.'));
      return Promise.resolve({ results: rows.map((_, index) => ({ row: index + 1, result: 'invited' })) });
    },
  };
  const terminal = { input: () => Readable.from([Buffer.from(lines.join('\n'))]), write: () => Promise.resolve() };
  const call = { api, terminal, operands: ['-'], options: new GivenOptions({}) } as unknown as Call;
  return invitationImport.run(call).catch((error: unknown) => error);
}

describe('an import of invitations that fails', () => {
  it('names the last line of the calls that succeeded, not a later line that could not be read', async () => {
    const people = Array.from({ length: LINES_OF_A_CALL + 1 }, (_, index) => `{"email":"person${index}@example.org"}`);
    expect(await importLines([...people, 'not JSON'])).toMatchObject({
      exitCode: EXIT.unreachable,
      message: `No answer. Lines 1 to ${LINES_OF_A_CALL} are done; run the command again to continue.`,
    });
  });

  it('reports a file that can no longer be read', async () => {
    const chunks = (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"email":"person@example.org"}\n');
      throw Object.assign(new Error('read'), { code: 'EIO' });
    })();
    const call = { terminal: { input: () => chunks }, operands: ['-'], options: new GivenOptions({}) } as unknown as Call;
    expect(await invitationImport.run(call).catch((error: unknown) => error)).toMatchObject({
      exitCode: EXIT.usage,
      message: '"standard input" cannot be read (EIO).',
    });
  });
});
