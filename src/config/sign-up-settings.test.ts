/** The settings of the sign-up here. */
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import { loadConfig } from './load-config.js';
import { listInvitationFields } from './sign-up-settings.js';

const OWN = { REGISTRATION: 'own' };
const SCHEMA = JSON.stringify({
  properties: {
    customer: { type: 'string', title: 'Customer number' },
    branch: { type: 'string', enum: ['North', 'South'] },
    address: { type: 'object' },
  },
  required: ['branch'],
});

const GRANTING_RULES = {
  ACCOUNT_SCHEMA: SCHEMA,
  OPERATORS: JSON.stringify([
    { attribute: 'customer', value: '1', right: 'admin' },
    { attribute: 'branch', value: 'North', right: 'read' },
  ]),
};

/** @returns a schema that requires this number of attributes */
function buildTextSchema(count: number): string {
  const required = Array.from({ length: count }, (_, index) => `field${index}`);
  return JSON.stringify({ properties: Object.fromEntries(required.map((name) => [name, { type: 'string' }])), required });
}

function findFaults(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('the settings of the sign-up', () => {
  it('[JOI-1] turn it off unless REGISTRATION says otherwise', () => {
    expect(loadConfig({}).config.registration).not.toHaveProperty('signUp');
    expect(loadConfig({}).config.registration).toHaveProperty('service');
    expect(loadConfig({ REGISTRATION: 'off' }).config.registration).not.toHaveProperty('service');
    expect(loadConfig(OWN).config.registration).not.toHaveProperty('service');
  });

  it('[JOI-20] ask for an approval only with own-with-approval', () => {
    expect(loadConfig(OWN).config.registration.signUp).not.toHaveProperty('approval');
    const approval = { REGISTRATION: 'own-with-approval', SIGN_UP_APPROVAL_DAYS: '7' };
    expect(loadConfig(approval).config.registration.signUp?.approval).toEqual({ days: 7, maxWaiting: 1000 });
  });

  it('[JOI-8] read domains in every spelling', () => {
    const { signUp } = loadConfig({ ...OWN, SIGN_UP_DOMAINS_DENIED: 'Spam.example, Bücher.example' }).config.registration;
    expect(signUp?.deniedDomains).toEqual(['spam.example', 'xn--bcher-kva.example']);
  });

  it('[JOI-3] decide which fields are asked for, with those that the schema requires', () => {
    const listNames = (env: Record<string, string>) =>
      loadConfig({ ...OWN, ...env }).config.registration.signUp?.fields.map(({ name }) => name);
    expect(listNames({})).toEqual(['username', 'display_name']);
    expect(listNames({ LOGIN_WITH: 'username,email' })).toEqual(['display_name']);
    const fields = { SIGN_UP_FIELDS: 'customer', ACCOUNT_SCHEMA: SCHEMA };
    expect(loadConfig({ ...OWN, ...fields }).config.registration.signUp?.fields).toEqual([
      { name: 'customer', kind: 'text', isRequired: false, label: 'Customer number' },
      { name: 'branch', kind: 'choice', isRequired: true, options: ['North', 'South'] },
    ]);
  });

  it('[JOI-3] decide what invited people fill in, who cannot sign up otherwise', () => {
    const { config } = loadConfig({ REGISTRATION: 'invitation', SIGN_UP_FIELDS: 'customer', ACCOUNT_SCHEMA: SCHEMA });
    expect(config.registration).not.toHaveProperty('signUp');
    expect(config.registration).not.toHaveProperty('service');
    expect(listInvitationFields(config).map(({ name }) => name)).toEqual(['customer', 'branch']);
    expect(listInvitationFields(loadConfig({ REGISTRATION: 'invitation' }).config).map(({ name }) => name)).toEqual([
      'username',
      'display_name',
    ]);
  });

  it('[JOI-46] turn the work of browsers on, and set its cost', () => {
    const findCost = (env: Record<string, string>) => loadConfig({ ...OWN, ...env }).config.registration.signUp?.workCost;
    expect(findCost({})).toBeUndefined();
    expect(findCost({ SIGN_UP_WORK: 'on' })).toBe(5000);
    expect(findCost({ SIGN_UP_WORK: 'on', SIGN_UP_WORK_COST: '20000' })).toBe(20_000);
  });

  it.each([
    [{ ...OWN, SIGN_UP_WORK_COST: '5000' }, /^SIGN_UP_WORK_COST: requires SIGN_UP_WORK=on/],
    [{ SIGN_UP_WORK: 'on' }, /^SIGN_UP_WORK: requires REGISTRATION=own/],
    [{ REGISTRATION: 'invitation', SIGN_UP_DOMAINS: 'a.example' }, /^SIGN_UP_DOMAINS: requires REGISTRATION=own/],
    [{ REGISTRATION: 'invitation', SIGN_UP_FIELDS: 'nothing' }, /^SIGN_UP_FIELDS: nothing is neither/],
    [
      { REGISTRATION: 'invitation', SIGN_UP_FIELDS: 'customer', ...GRANTING_RULES },
      /^SIGN_UP_FIELDS: asks for customer, which grants/,
    ],
    [
      { REGISTRATION: 'invitation', REGISTRATION_URL: 'https://register.example' },
      /^REGISTRATION_URL: is set, although REGISTRATION is invitation/,
    ],
    [{ ...OWN, SIGN_UP_FIELDS: 'nothing' }, /^SIGN_UP_FIELDS: nothing is neither/],
    [{ ...OWN, SIGN_UP_FIELDS: '__proto__' }, /^SIGN_UP_FIELDS: __proto__ is neither/],
    [{ ...OWN, ACCOUNT_SCHEMA: JSON.stringify({ required: ['address'] }) }, /^ACCOUNT_SCHEMA: requires address/],
    [{ ...OWN, SIGN_UP_DOMAINS: '*.example.org' }, /^SIGN_UP_DOMAINS: .* has an entry that is not a domain/],
    [{ ...OWN, ACCOUNT_SCHEMA: buildTextSchema(11) }, /^SIGN_UP_FIELDS: the form may have at most 12 fields/],
    [{ ...OWN, SIGN_UP_FIELDS: 'phone_number_verified' }, /^SIGN_UP_FIELDS: asks for phone_number_verified,/],
    [
      { ...OWN, ACCOUNT_SCHEMA: JSON.stringify({ required: ['phone_number_verified'] }) },
      /^ACCOUNT_SCHEMA: requires phone_number_verified/,
    ],
    [{ ...OWN, ...GRANTING_RULES, SIGN_UP_FIELDS: 'customer' }, /^SIGN_UP_FIELDS: asks for customer.*OPERATORS/],
    [{ ...OWN, ...GRANTING_RULES }, /^ACCOUNT_SCHEMA: requires branch.*OPERATORS/],
    [{ SIGN_UP_DOMAINS: 'example.org' }, /^SIGN_UP_DOMAINS: requires REGISTRATION=own or own-with-approval$/],
    [{ SIGN_UP_FIELDS: 'username' }, /^SIGN_UP_FIELDS: requires REGISTRATION=own, own-with-approval or invitation$/],
    [{ ...OWN, SIGN_UP_MAX_WAITING: '5' }, /^SIGN_UP_MAX_WAITING: requires REGISTRATION=own-with-approval/],
    [{ SIGN_UP_APPROVAL_DAYS: '5' }, /^SIGN_UP_APPROVAL_DAYS: requires REGISTRATION=own-with-approval/],
    [{ ...OWN, REGISTRATION_URL: 'https://join.example.org', REGISTRATION_SECRET: 'x'.repeat(40) }, /^REGISTRATION_URL: is set/],
    [
      { ...OWN, HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: 'http://localhost:4444' },
      /^REGISTRATION: own requires SMTP_URL/,
    ],
    [
      { REGISTRATION: 'service', HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: 'http://localhost:4444' },
      /^REGISTRATION: service requires REGISTRATION_URL/,
    ],
  ])('[JOI-8] refuse %j', (env, fault) => {
    expect(findFaults(env as Record<string, string>)).toContainEqual(expect.stringMatching(fault));
  });
});
