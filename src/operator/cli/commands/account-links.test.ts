import { expect, it } from '@jest/globals';
import { GivenOptions, type Call } from '../command.js';
import { accountInvite } from './account-links.js';

const ACCOUNT = '019a0000-0000-7000-8000-000000000001';

it('shows a mailed address without raw direction marks, like every other text on the terminal', async () => {
  let output = '';
  const call = {
    api: {
      getAccount: () => Promise.resolve({ id: ACCOUNT, username: 'maria' }),
      invite: () => Promise.resolve({ mailed_to: 'ma\u202Eria@example.org', expires_at: '2026-11-30T12:00:00.000Z' }),
    },
    operands: [ACCOUNT],
    options: new GivenOptions({}),
    print: (_: object, format: () => string) => (output = format()),
  } as unknown as Call;
  await accountInvite.run(call);
  expect(output).toBe('An invitation will be sent to ma\uFFFDria@example.org. It works once, until 2026-11-30 12:00:00Z.\n');
});
