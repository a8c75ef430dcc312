import { describe, expect, it } from '@jest/globals';
import { OPERATION_IDS, getRule, type OperationId } from '../../src/operator/operations.js';
import type { Session } from '../session/session.js';
import { ACTIONS } from './actions.js';
import { toOwnSession } from './own-account.js';

const findOffered = (rights: string[]): string[] => {
  const { operations } = toOwnSession({ rights, operations: [...OPERATION_IDS] as string[] } as Session);
  return ACTIONS.map(({ operation }) => operation).filter((operation) => operations.includes(operation));
};

describe('the own account of an operator', () => {
  it('offers nothing dangerous, and everything else to an administrator', () => {
    const harmless = ACTIONS.map(({ operation }) => operation).filter((id) => !getRule(id as OperationId).dangerous);
    expect(findOffered(['admin'])).toEqual(harmless);
  });

  it('offers no change without the right for accounts of operators, and still shows everything', () => {
    expect(findOffered(['support', 'auditor'])).toEqual([]);
    const { operations } = toOwnSession({
      rights: ['read'],
      operations: ['accounts.show', 'sessions.list'],
    } as unknown as Session);
    expect(operations).toEqual(['accounts.show', 'sessions.list']);
  });
});
