import { describe, expect, it } from '@jest/globals';
import type { Account } from '../account/account.js';
import { toPersonValues } from './scim-values.js';

const ACCOUNT: Account = {
  ...{ id: 'one', username: 'anna', displayName: 'Anna', emailVerified: false, groups: [], status: 'active' },
  attributes: { nickname: 'anna', cost_center: '7' },
  ...{ createdAt: new Date(0), updatedAt: new Date(0) },
};

describe('the values of a person whose account is given to another person', () => {
  it('do not include attributes that ACCOUNT_SCHEMA requires, because the change would be refused without them', () => {
    const schema = { type: 'object', required: ['cost_center'] };
    expect(toPersonValues(ACCOUNT, schema).attributes).toEqual({ nickname: 'anna' });
    expect(toPersonValues(ACCOUNT, undefined).attributes).toEqual(ACCOUNT.attributes);
  });
});
