import { describe, expect, it } from '@jest/globals';
import { testConfig } from '../../../test/support/test-config.js';
import type { AccountSchema } from '../../config/config.js';
import { AttributeInvalid } from '../account/account.errors.js';
import { AccountAttributes } from './account-attributes.js';

const SCHEMA = {
  properties: {
    department: { enum: ['Sales', 'Purchase'] },
    cost_centre: { type: 'integer', minimum: 1 },
    'a/b~c': { type: 'string' },
    sites: { type: 'array', items: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
  },
};

const NAME_FAULT = 'is empty or reserved, is longer than 128 characters, or has characters that cannot be shown';

const buildAttributes = (schema?: AccountSchema): AccountAttributes =>
  new AccountAttributes({ accounts: { ...testConfig().accounts, ...(schema ? { schema } : {}) } });

function describeFault(attributes: unknown, schema: AccountSchema = SCHEMA): string | undefined {
  try {
    buildAttributes(schema).toNewColumns({ attributes: attributes as Record<string, unknown> });
    return undefined;
  } catch (error) {
    return error instanceof AttributeInvalid ? `${error.pointer} | ${error.message}` : 'another error';
  }
}

describe('a patch', () => {
  it('changes nothing if it removes an attribute that is not stored, whatever its name', () => {
    const attributes = buildAttributes({ properties: { constructor: { type: 'string' } } });
    expect(attributes.isUnchanged({}, { constructor: null, nickname: null })).toBe(true);
    expect(attributes.isUnchanged({ constructor: 'x' }, { constructor: null })).toBe(false);
  });
});

describe('attributes of a new account', () => {
  it('may be standard claims and attributes of the schema', () => {
    const attributes = { given_name: 'Maria', address: { locality: 'Köln', formatted: 'Am Ring 1\n50667 Köln' } };
    expect(JSON.parse(buildAttributes().toNewColumns({ attributes }).attributes)).toEqual(attributes);
    expect(describeFault({ ...attributes, department: 'Sales', cost_centre: 7, sites: [{ city: 'Bonn' }] })).toBeUndefined();
    expect(buildAttributes().toNewColumns({ attributes: { nickname: null } }).attributes).toBe('{}');
  });

  it.each([
    [{ department: 'Board' }, '/department | attributes: /department must be equal to one of the allowed values.'],
    [{ cost_centre: '7' }, '/cost_centre | attributes: /cost_centre must be integer.'],
    [{ 'a/b~c': 1 }, '/a~1b~0c | attributes: /a~1b~0c must be string.'],
    [{ sites: [{ city: 'Bonn' }, {}] }, '/sites/1/city | attributes: /sites/1/city is missing.'],
    [{ shoe_size: 43 }, '/shoe_size | attributes: /shoe_size is not in the schema.'],
    [{ address: { street: 'x' } }, '/address/street | attributes: /address/street is not in the schema.'],
    [{ website: 'no address' }, '/website | attributes: /website must match format "uri".'],
    [{ nickname: 'a\u0000b' }, '/nickname | attributes: /nickname has characters that cannot be shown.'],
    [{ nickname: 'a\u202Eb' }, '/nickname | attributes: /nickname has characters that cannot be shown.'],
    [[], ' | attributes must be a JSON object.'],
    ['text', ' | attributes must be a JSON object.'],
    [JSON.parse('{"__proto__":{"department":"Sales"}}'), ` | attributes has a member whose name ${NAME_FAULT}.`],
  ])('are refused with the position of the fault: %j', (attributes, expected) => {
    expect(describeFault(attributes)).toBe(expected);
  });

  it('are limited in size, number and depth whatever the schema allows', () => {
    const open = { additionalProperties: true };
    const nest = (depth: number): unknown => (depth === 0 ? 1 : { a: nest(depth - 1) });
    expect(describeFault({ a: nest(4) }, open)).toBeUndefined();
    expect(describeFault({ a: nest(5) }, open)).toContain('nested deeper than 5 levels');
    expect(describeFault({ a: 'x'.repeat(8200) }, open)).toContain('more than 8192 bytes');
    expect(describeFault({ a: Array.from({ length: 600 }, () => 1) }, open)).toContain('more than 512 values');
    expect(() => buildAttributes().toNewColumns({ groups: Array.from({ length: 251 }, (_, index) => `g${index}`) })).toThrow(
      'more than 250',
    );
    expect(() => buildAttributes().toNewColumns({ groups: ['a', ''] })).toThrow('Each entry of groups must not be empty.');
    expect(() => buildAttributes().toNewColumns({ groups: [1] as unknown as string[] })).toThrow(
      'Each entry of groups must be a string.',
    );
    expect(() => buildAttributes().toNewColumns({ groups: 'a' as unknown as string[] })).toThrow('a list of strings');
  });

  it('may be required by the schema, which may also forbid standard claims', () => {
    const schema = { required: ['department'], properties: { department: { type: 'string' }, nickname: false } };
    expect(describeFault({}, schema)).toBe('/department | attributes: /department is missing.');
    expect(describeFault({ department: 'x', nickname: 'y' }, schema)).toContain('/nickname');
    expect(describeFault({ department: 'x', given_name: 'y' }, schema)).toBeUndefined();
  });
});
