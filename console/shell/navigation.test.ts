import { describe, expect, it } from '@jest/globals';
import { listPages } from './navigation.js';

const OPERATIONS = ['today.show', 'accounts.list', 'invitations.list', 'signUps.list', 'approvals.list'];
const NO_FEATURES = { second_operator: false, support_check: false, sign_up_approval: false, invitations: false };

const list = (settings: Partial<typeof NO_FEATURES>, operations: string[] = OPERATIONS): string[] =>
  listPages({ ...NO_FEATURES, ...settings, operations }).map(({ to }) => to);

describe('the pages of the navigation', () => {
  it('leave out what the installation does not use', () => {
    expect(list({})).toEqual(['/today', '/people']);
  });

  it('include invitations, sign-ups and approvals where the installation has them', () => {
    expect(list({ invitations: true, sign_up_approval: true, second_operator: true })).toEqual([
      '/today',
      '/people',
      '/people/invitations',
      '/sign-ups',
      '/approvals',
    ]);
    expect(list({ support_check: true })).toContain('/approvals');
  });

  it('include only what the rights allow', () => {
    expect(list({ invitations: true, sign_up_approval: true }, ['today.show'])).toEqual(['/today']);
  });
});
