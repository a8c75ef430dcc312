import { expect, it } from '@jest/globals';
import { GivenOptions, type Call } from '../command.js';
import { claims } from './claims.js';

const ACCOUNT = '019a0000-0000-7000-8000-000000000001';

it('shows claims without raw direction marks, like every other text on the terminal', async () => {
  const answer = {
    scopes: [],
    id_token: { given_name: 'Ma\u202Eria' },
    access_token: { nickname: '\u2066' },
    bytes: 1,
    most_bytes: 2,
  };
  let output = '';
  const call = {
    api: { getAccount: () => Promise.resolve({ id: ACCOUNT }), getClaims: () => Promise.resolve(answer) },
    options: new GivenOptions({ client: 'portal', account: ACCOUNT }),
    print: (_: object, format: () => string) => (output = format()),
  } as unknown as Call;
  await claims.run(call);
  expect(output).toContain('"given_name": "Ma\\u202eria"');
  expect(output).not.toMatch(/[\u202E\u2066]/);
});
