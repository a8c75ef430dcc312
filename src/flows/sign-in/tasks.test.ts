import { describe, expect, it } from '@jest/globals';
import { findTasks } from './tasks.js';

const REQUIRED = { reason: 'operator', since: new Date('2026-11-28T12:00:00Z') } as const;

describe('[TSK-1] the tasks of a person', () => {
  it('are an empty list for an account of which nothing is required', () => {
    expect(findTasks({ account: {}, provesPassword: true })).toEqual([]);
  });

  it('are a new password after a proof by the password that is stored here, and after no other', () => {
    const account = { requiredPassword: REQUIRED };
    expect(findTasks({ account, provesPassword: true })).toEqual([{ kind: 'password', ...REQUIRED }]);
    expect(findTasks({ account, provesPassword: false })).toEqual([]);
  });
});
