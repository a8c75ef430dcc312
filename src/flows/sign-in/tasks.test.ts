import { describe, expect, it } from '@jest/globals';
import type { Terms } from '../../config/config.js';
import { findTasks, isPostponable, toTaskKey, withoutPostponed, type Task, type TaskCase } from './tasks.js';

const NOW = new Date('2026-11-28T12:00:00Z');
const REQUIRED = { reason: 'operator', since: NOW } as const;
const PASSWORD = { account: { requiredPassword: REQUIRED }, provesPassword: true };
const USE: Terms = { id: 'use', version: '2', texts: [] };

const find = (taskCase: Partial<TaskCase> = {}, terms: readonly Terms[] = []): Task[] =>
  findTasks({ account: {}, provesPassword: true, clientId: 'portal', ...taskCase }, { terms, now: NOW });

describe('[TSK-1] the tasks of a person', () => {
  it('are an empty list for an account of which nothing is required', () => {
    expect(find()).toEqual([]);
  });

  it('are a new password after a proof by the password that is stored here, and after no other', () => {
    expect(find(PASSWORD)).toEqual([{ kind: 'password', ...REQUIRED }]);
    expect(find({ ...PASSWORD, provesPassword: false })).toEqual([]);
  });
});

describe('[TSK-11] terms', () => {
  const asks = (account: TaskCase['account'], terms: Partial<Terms> = {}): boolean =>
    find({ account, provesPassword: false }, [{ ...USE, ...terms }]).length > 0;

  it('are asked of everybody until this version is accepted, whatever was accepted since', () => {
    expect(asks({})).toBe(true);
    expect(asks({ acceptedTerms: { other: ['2'], use: ['1'] } })).toBe(true);
    expect(asks({ acceptedTerms: { use: ['2'] } })).toBe(false);
    expect(asks({ acceptedTerms: { use: ['2', '3'] } })).toBe(false);
    expect(asks({ acceptedTerms: {} }, { id: 'constructor' })).toBe(true);
  });

  it('are asked only for the clients in the list, and only from the time on', () => {
    expect([asks({}, { clients: ['portal'] }), asks({}, { clients: ['wiki'] })]).toEqual([true, false]);
    expect([asks({}, { from: NOW }), asks({}, { from: new Date(NOW.getTime() + 1) })]).toEqual([true, false]);
  });

  it('come before the new password, in the order of the setting', () => {
    const tasks = find(PASSWORD, [USE, { ...USE, id: 'privacy' }]);
    expect(tasks.map(toTaskKey)).toEqual(['terms.use', 'terms.privacy', 'password']);
  });

  it('may be postponed until the time, and no other task may', () => {
    const later = { ...USE, laterUntil: new Date(NOW.getTime() + 1) };
    const tasks = find(PASSWORD, [later, { ...USE, id: 'privacy', laterUntil: NOW }]);
    expect(tasks.map(isPostponable)).toEqual([true, false, false]);
    const left = withoutPostponed(tasks, ['terms.use', 'terms.privacy', 'password']);
    expect(left.map(toTaskKey)).toEqual(['terms.privacy', 'password']);
  });
});
