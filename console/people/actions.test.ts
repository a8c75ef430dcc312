import { describe, expect, it } from '@jest/globals';
import { ACCOUNTS, IDS, buildAccount } from '../fixtures/accounts.js';
import { toForm } from './account-changes.js';
import { getAction, type ActionInput, type ActionName } from './actions.js';

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

describe('a change of an account', () => {
  const { isHeld, needsCheck } = getAction('change');
  const buildInput = (account: typeof maria, changes: object) => {
    const originalForm = toForm(account);
    return { originalForm, form: { ...originalForm, ...changes } } as ActionInput;
  };

  it.each([
    ['another address', true, { email: 'maria.m@example.org' }, true],
    ['no address', true, { email: '' }, true],
    ['an address that becomes verified', false, { isEmailVerified: true }, true],
    ['an address that is verified already', true, { isEmailVerified: true }, false],
    ['another name', true, { displayName: 'Maria' }, false],
  ])('waits for a second operator and a check only if it affects the address: %s', (_, email_verified, changes, waits) => {
    const account = { ...maria, email_verified };
    expect([isHeld?.(account, buildInput(account, changes)), needsCheck?.(account, buildInput(account, changes))]).toEqual([
      waits,
      waits,
    ]);
  });
});
