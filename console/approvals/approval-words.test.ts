import { expect, it } from '@jest/globals';
import { ACCOUNTS } from '../fixtures/accounts.js';
import { buildApproval } from '../fixtures/approvals.js';
import { listEffects } from './approval-words.js';

const [maria] = ACCOUNTS;

it.each([
  ['another address', 'maria.m@example.org', true],
  ['the same address, as verified', maria!.email, false],
])('an open change mentions the mail to the old address only if the address changes: %s', (_, email, isMailed) => {
  const approval = buildApproval({ id: 'a9', operation: 'accounts.change', body: { email, email_verified: true } });
  expect(listEffects(approval, maria!).includes('change.email_hint')).toBe(isMailed);
});
