import { describe, expect, it } from '@jest/globals';
import { compileSchema } from '../../config/account-schema.js';
import type { Account } from '../account/account.js';
import { AttributeInvalid } from '../account/account.errors.js';
import type { ScimSettings } from '../../config/source-settings.js';
import { toOtherPersonPatch, toRefusal, type ScimValues } from './scim-values.js';

const ACCOUNT: Account = {
  ...{ id: 'one', username: 'anna', displayName: 'Anna', emailVerified: false, groups: [], status: 'active' },
  attributes: { nickname: 'anna', cost_center: '7', office: 'B2' },
  ...{ createdAt: new Date(0), updatedAt: new Date(0) },
};
const PROPERTIES = { cost_center: { type: 'string' }, office: { type: 'string' } };

const buildRequired = (name: string) => ({ properties: { [name]: true }, required: [name] });

function toPatch(
  schema: object,
  { account = {}, values = {} }: { account?: Partial<Account>; values?: Partial<ScimValues> } = {},
) {
  const findFault = compileSchema({ properties: PROPERTIES, ...schema });
  const newValues = { username: 'anna', attributes: {}, ...values };
  return toOtherPersonPatch({ ...ACCOUNT, ...account }, newValues, findFault);
}

describe('the account of another person', () => {
  it.each([
    ['none', {}, ['nickname', 'cost_center', 'office']],
    ['required', { required: ['cost_center'] }, ['nickname', 'office']],
    ['allOf', { allOf: [buildRequired('cost_center')] }, ['nickname', 'office']],
    ['anyOf', { anyOf: [buildRequired('office'), buildRequired('cost_center')] }, ['nickname', 'cost_center']],
    [
      'dependentRequired',
      { required: ['cost_center'], dependentRequired: { cost_center: ['office'], office: ['nickname'] } },
      [],
    ],
    [
      'dependentRequired in another order',
      { required: ['office'], dependentRequired: { nickname: ['cost_center'] } },
      ['nickname', 'cost_center'],
    ],
    ['minProperties', { minProperties: 2 }, ['nickname']],
  ])('loses all attributes without which the others satisfy ACCOUNT_SCHEMA: %s', (_case, schema, removed) => {
    expect(toPatch(schema).attributes).toEqual(Object.fromEntries(removed.map((name) => [name, null])));
  });

  it('keeps an attribute that the attributes of the source require', () => {
    const patch = toPatch({ dependentRequired: { given_name: ['office'] } }, { values: { attributes: { given_name: 'Bob' } } });
    expect(patch.attributes).toEqual({ nickname: null, cost_center: null, given_name: 'Bob' });
  });

  it('loses attributes that ACCOUNT_SCHEMA no longer allows, also if another one has to stay', () => {
    const patch = toPatch({ required: ['office'], properties: { office: true, nickname: { maxLength: 1 } } });
    expect(patch.attributes).toEqual({ nickname: null, cost_center: null });
  });

  it('has no picture of the person before', () => {
    expect(toPatch({}, { account: { picture: 'https://work.example/anna.png' } })).toMatchObject({ picture: null });
  });

  it.each([
    ['is no longer verified', {}, false],
    ['stays verified if the source is trusted for addresses', { emailVerified: true }, undefined],
  ])('has an unchanged address that %s', (_case, trust, emailVerified) => {
    const email = 'anna@work.example';
    const patch = toPatch({}, { account: { email, emailVerified: true }, values: { email, ...trust } });
    expect([patch.email, patch.emailVerified]).toEqual([undefined, emailVerified]);
  });
});

describe('a refused attribute', () => {
  const settings = { attributes: { cost_center: 'userType' } } as unknown as ScimSettings;

  it.each([
    ['cost_center', 'userType'],
    ['given_name', 'name.givenName'],
    ['phone_number', 'phoneNumbers'],
    ['office', 'office'],
    ['constructor', 'constructor'],
  ])('%s is named as %s', (name, path) => {
    const error = new AttributeInvalid({ pointer: `/${name}`, message: 'must be a string' });
    expect(toRefusal(error, settings).message).toMatch(new RegExp(`^${path} `));
  });
});
