import { describe, expect, it } from '@jest/globals';
import { OPERATION_IDS, getRule, type OperationId } from '../../src/operator/operations.js';
import type { Session } from '../session/session.js';
import { ACTIONS } from './actions.js';
import { findRefusal, toSessionFor } from './allowed-changes.js';

const ALL_OPERATIONS = ACTIONS.map(({ operation }) => operation);

function offer(rights: string[], account: { id: string; may_change: boolean }) {
  const operator = { account_id: 'olga' };
  const session = { rights, operator, operations: [...OPERATION_IDS] as string[] } as Session;
  const { operations } = toSessionFor(session, account);
  const offeredOperations = ALL_OPERATIONS.filter((operation) => operations.includes(operation));
  return { offeredOperations, canRead: operations.includes('accounts.show'), refusal: findRefusal(session, account) };
}

describe('the operations that an operator is offered', () => {
  it('are all that the rights allow on another account', () => {
    expect(offer(['support'], { id: 'maria', may_change: true })).toEqual({
      offeredOperations: ALL_OPERATIONS,
      canRead: true,
      refusal: null,
    });
  });

  it('exclude dangerous ones and the support check on their own account', () => {
    const harmless = ALL_OPERATIONS.filter((id) => !getRule(id as OperationId).dangerous && id !== 'supportCheck.ask');
    const { offeredOperations, refusal } = offer(['admin'], { id: 'olga', may_change: true });
    expect([offeredOperations, refusal]).toEqual([harmless, 'actions.own']);
  });

  it.each([
    ['olga', 'support', 'actions.own_no_admin'],
    ['sven', 'support', 'actions.of_operator'],
    ['maria', 'read', null],
  ])('include no change of an account that they may not change (%s, %s)', (id, right, refusal) => {
    expect(offer([right], { id, may_change: false })).toEqual({ offeredOperations: [], canRead: true, refusal });
  });
});
