import { describe, expect, it } from '@jest/globals';
import { OPERATION_IDS, getRule, type OperationId } from '../../src/operator/operations.js';
import type { Session } from '../session/session.js';
import { ACTIONS } from './actions.js';
import { findRefusal, toSessionFor } from './allowed-changes.js';

const EVERY = ACTIONS.map(({ operation }) => operation);

function offer(rights: string[], account: { id: string; may_change: boolean }) {
  const operator = { account_id: 'olga' };
  const session = { rights, operator, operations: [...OPERATION_IDS] as string[] } as Session;
  const { operations } = toSessionFor(session, account);
  const offered = EVERY.filter((operation) => operations.includes(operation));
  return { offered, canRead: operations.includes('accounts.show'), refusal: findRefusal(session, account) };
}

describe('what an operator is offered', () => {
  it('on another account is everything that the rights allow', () => {
    expect(offer(['support'], { id: 'maria', may_change: true })).toEqual({ offered: EVERY, canRead: true, refusal: null });
  });

  it('on the own account is nothing dangerous, and no check of oneself', () => {
    const harmless = EVERY.filter((id) => !getRule(id as OperationId).dangerous && id !== 'supportCheck.ask');
    const { offered, refusal } = offer(['admin'], { id: 'olga', may_change: true });
    expect([offered, refusal]).toEqual([harmless, 'actions.own']);
  });

  it.each([
    ['olga', 'support', 'actions.own_no_admin'],
    ['sven', 'support', 'actions.of_operator'],
    ['maria', 'read', null],
  ])('on an account out of reach only shows it (%s, %s)', (id, right, refusal) => {
    expect(offer([right], { id, may_change: false })).toEqual({ offered: [], canRead: true, refusal });
  });
});
