import { describe, expect, it } from '@jest/globals';
import { OPERATION_IDS, getRule, type OperationId } from '../../src/operator/operations.js';
import type { Session } from '../session/session.js';
import { ACTIONS } from './actions.js';
import { findRestriction, restrictSession } from './allowed-changes.js';

const ALL_OPERATIONS = ACTIONS.map(({ operation }) => operation);

function offer(rights: string[], account: { id: string; may_change: boolean }) {
  const operator = { account_id: 'olga' };
  const session = { rights, operator, operations: [...OPERATION_IDS] as string[] } as Session;
  const { operations } = restrictSession(session, account);
  const offeredOperations = ALL_OPERATIONS.filter((operation) => operations.includes(operation));
  return { offeredOperations, canRead: operations.includes('accounts.show'), restriction: findRestriction(session, account) };
}

describe('the operations that an operator is offered', () => {
  it('are all that the rights allow on another account', () => {
    expect(offer(['support'], { id: 'maria', may_change: true })).toEqual({
      offeredOperations: ALL_OPERATIONS,
      canRead: true,
      restriction: null,
    });
  });

  it('exclude dangerous ones and the support check on the account of the operator', () => {
    const harmlessOperations = ALL_OPERATIONS.filter((id) => !getRule(id as OperationId).dangerous && id !== 'supportCheck.ask');
    const { offeredOperations, restriction } = offer(['admin'], { id: 'olga', may_change: true });
    expect([offeredOperations, restriction]).toEqual([harmlessOperations, 'actions.own']);
  });

  it.each([
    ['olga', 'support', 'actions.own_no_admin'],
    ['sven', 'support', 'actions.of_operator'],
    ['maria', 'read', null],
  ])('include no change of an account that the operator may not change (%s, %s)', (id, right, restriction) => {
    expect(offer([right], { id, may_change: false })).toEqual({ offeredOperations: [], canRead: true, restriction });
  });
});
