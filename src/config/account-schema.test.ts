import { describe, expect, it } from '@jest/globals';
import { compileSchema } from './account-schema.js';
import { loadConfig, surveyConfig } from './load-config.js';

const findFault = (schema: string): string => {
  try {
    loadConfig({ ACCOUNT_SCHEMA: schema });
    return '';
  } catch (error) {
    return String(error);
  }
};

describe('ACCOUNT_SCHEMA', () => {
  it('is read from JSON, in the setting or in a file', () => {
    const schema = { properties: { department: { type: 'string', maxLength: 40 } } };
    expect(loadConfig({ ACCOUNT_SCHEMA: JSON.stringify(schema) }).config.accounts.schema).toEqual(schema);
    const read = (): string => JSON.stringify(schema);
    expect(loadConfig({ ACCOUNT_SCHEMA_FILE: '/schema.json' }, read).config.accounts.schema).toEqual(schema);
    expect(loadConfig({}).config.accounts.schema).toBeUndefined();
  });

  it.each([
    ['{', 'cannot be read as JSON'],
    ['[]', 'is not a JSON object'],
    ['{"type":"array"}', 'does not describe an object'],
    ['{"$async":true}', 'must not be asynchronous'],
    ['{"properties":{"department":{"type":"txt"}}}', 'is not a JSON Schema (draft 2020-12)'],
    ['{"properties":{"department":{"typ":"string"}}}', 'unknown keyword: "typ"'],
    ['{"properties":{"a":{"$ref":"https://example.org/x.json"}}}', 'is not a JSON Schema'],
    ['{"properties":{"a":{"pattern":"("}}}', 'is not a JSON Schema'],
    ['{"properties":{"email":{"type":"string"}}}', 'has the property email'],
    ['{"required":["rank"]}', 'required property "rank" is not defined'],
    ['{"properties":{"__proto__":{"type":"string"}}}', 'has the property __proto__'],
  ])('is refused if it is %s, and the fault names the setting', (schema, expected) => {
    expect(findFault(schema)).toContain(`ACCOUNT_SCHEMA: `);
    expect(findFault(schema)).toContain(expected);
  });

  it.each([
    { CLAIMS: '{"profile":{"rank":"rank"}}' },
    { OPERATORS: '[{"attribute":"rank","value":"a","right":"read"}]' },
    {
      USER_SOURCES: JSON.stringify([
        { id: 'staff', type: 'ldap', urls: ['ldaps://ldap.example.com'], base: 'dc=example', attributes: { rank: 'title' } },
      ]),
    },
    {
      OIDC_PROVIDERS: JSON.stringify([
        {
          id: 'company',
          name: 'Company',
          issuer: 'https://id.example.com',
          client_id: 'a',
          client_secret: 'b',
          provision: true,
          attributes: { rank: 'rank' },
        },
      ]),
    },
    { REGISTRATION: 'own', SIGN_UP_FIELDS: 'username,rank' },
    { REGISTRATION: 'invitation', SIGN_UP_FIELDS: 'username,rank' },
  ])('causes no fault of %j if it has one itself', (settings) => {
    expect(surveyConfig(settings).faults).toEqual([expect.stringContaining('rank')]);
    expect(surveyConfig({ ...settings, ACCOUNT_SCHEMA: '{' }).faults).toEqual([expect.stringMatching(/^ACCOUNT_SCHEMA: /)]);
  });

  it('distinguishes missing attributes from unknown ones', () => {
    const validate = compileSchema({ required: ['gender'], dependentRequired: { given_name: ['family_name'] } });
    expect(validate({})).toEqual({ pointer: '/gender', message: 'is missing' });
    expect(validate({ gender: 'x', given_name: 'x' })).toEqual({ pointer: '/family_name', message: 'is missing' });
    expect(validate({ gender: 'x', rank: 'x' })).toEqual({ pointer: '/rank', message: 'is not in the schema' });
  });
});
