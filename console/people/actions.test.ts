import { describe, expect, it } from '@jest/globals';
import { ACCOUNTS, IDS, buildAccount } from '../fixtures/accounts.js';
import { getAction, type ActionName } from './actions.js';

const maria = ACCOUNTS.find(({ id }) => id === IDS.maria)!;
const withoutAddress = ACCOUNTS.find(({ id }) => id === IDS.bare)!;

describe('the effects of an action', () => {
  const list = (name: ActionName, account: typeof maria) =>
    getAction(name).effects(account, { hasSecondOperator: false, check: 'none' });

  it.each(['factor_remove', 'keep'] as const)('include a mail only if the person has an address: %s', (name) => {
    expect(list(name, maria)).toContain('action.notice_effect');
    expect(list(name, withoutAddress)).not.toContain('action.notice_effect');
  });

  it('include that an unlinked account has no password only if it has none', () => {
    const account = buildAccount('a1', { username: 'nora', source: 'scim:entra', has_password: false });
    expect(list('unlink', account)).toContain('action.unlink_password_effect');
    expect(list('unlink', { ...account, has_password: true })).not.toContain('action.unlink_password_effect');
  });
});
