import { expect, it } from '@jest/globals';
import { readRefusal } from './refusal.js';

const ID = '4f6c1c58-0d7e-4c0e-9d60-0a5b7a0d9a01';

it.each([
  [
    { reason: 'expired', request: ID },
    { reason: 'expired', request: ID },
  ],
  [{ reason: 'expired', request: 'Your account is locked: call 0800 1234' }, { reason: 'expired' }],
  [{ reason: ['expired'], request: `${ID} or call 0800 1234` }, {}],
])('a reason and a request that is an id are read from %j, and values in another format are ignored', (parameters, refusal) => {
  expect(readRefusal(parameters)).toEqual(refusal);
});
