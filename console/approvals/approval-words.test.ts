import { expect, it } from '@jest/globals';
import { ACCOUNTS } from '../fixtures/accounts.js';
import { buildApproval } from '../fixtures/approvals.js';
import { listEffects, listMembers } from './approval-words.js';

const [maria] = ACCOUNTS;

it.each([
  ['another address', 'maria.m@example.org', true],
  ['the same address, as verified', maria!.email, false],
])('an open change mentions the mail to the old address only if the address changes: %s', (_, email, isMailed) => {
  const approval = buildApproval({ id: 'a9', operation: 'accounts.change', body: { email, email_verified: true } });
  expect(listEffects(approval, maria!).includes('change.email_hint')).toBe(isMailed);
});

it.each(['approved', 'rejected', 'withdrawn', 'expired', 'stopped'] as const)(
  'a change that only verifies the address mentions no mail to an old address after the decision: %s',
  (state) => {
    const body = { email: maria!.email, email_verified: true };
    const approval = buildApproval({ id: 'a9', operation: 'accounts.change', body, state });
    expect(listEffects(approval, maria!)).toEqual(['approvals.change_effect']);
  },
);

it('a rejected change of the address says that the old address would have received a mail', () => {
  const body = { email: 'maria.m@example.org' };
  const approval = buildApproval({ id: 'a9', operation: 'accounts.change', body, state: 'rejected' });
  expect(listEffects(approval, maria!)).toContain('change.email_hint');
});

it('an open change of attributes shows the present values of only the attributes that change', () => {
  const body = { attributes: { department: 'Vertrieb', room: '7' } };
  const approval = buildApproval({ id: 'a9', operation: 'accounts.change', body });
  expect(listMembers(approval, maria!)).toEqual([
    {
      name: 'attributes',
      label: undefined,
      before: '{"department":"Einkauf"}',
      after: '{"department":"Vertrieb","room":"7"}',
    },
  ]);
});
