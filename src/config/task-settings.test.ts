/** The settings of the tasks at sign-in. */
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import { loadConfig } from './load-config.js';

const UPSTREAM = { HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: 'http://localhost:4444' };

function findFaults(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('[TSK-33] the fields that people are asked for', () => {
  const SCHEMA = {
    properties: { branch: { type: 'string', enum: ['North', 'South'] }, role: { type: 'string' } },
    required: ['branch'],
  };
  const buildEnv = (schema: object, more = {}) => ({ MISSING_FIELDS: 'ask', ACCOUNT_SCHEMA: JSON.stringify(schema), ...more });

  it('are those that the schema requires, if the setting says so', () => {
    const { requiredFields } = loadConfig(buildEnv(SCHEMA)).config.tasks;
    expect(requiredFields).toEqual([{ name: 'branch', kind: 'choice', isRequired: true, options: ['North', 'South'] }]);
    expect(loadConfig({ ...buildEnv(SCHEMA), MISSING_FIELDS: 'off' }).config.tasks.requiredFields).toEqual([]);
  });

  it('are refused if a form cannot ask for them, or others trust them', () => {
    expect(findFaults(buildEnv({ required: ['address'] }))).toContainEqual(expect.stringMatching(/^MISSING_FIELDS: .*address/));
    const OPERATORS = JSON.stringify([{ attribute: 'branch', value: 'North', right: 'read' }]);
    expect(findFaults(buildEnv(SCHEMA, { OPERATORS }))).toContainEqual(expect.stringMatching(/branch.*OPERATORS/));
    expect(findFaults(buildEnv({ required: ['phone_number_verified'] }))).toContainEqual(
      expect.stringMatching(/phone_number_verified/),
    );
  });
});

describe('[TSK-30] the settings of tasks that have a day', () => {
  it('turn the proof of an address off by default', () => {
    expect(loadConfig({}).config.tasks).toMatchObject({ emailProof: 'off' });
  });

  it('name a day in UTC', () => {
    const env = { EMAIL_PROOF: 'required', EMAIL_PROOF_FROM: '2027-01-31' };
    expect(loadConfig(env).config.tasks).toMatchObject({ emailProofFrom: new Date('2027-01-31T00:00:00Z') });
  });

  it.each([
    [{ EMAIL_PROOF: 'yes' }, /^EMAIL_PROOF: /],
    [{ MFA_REQUIRED_FROM: '2027-01-31' }, /^MFA_REQUIRED_FROM: requires MFA_POLICY=required/],
    [{ EMAIL_PROOF: 'required', EMAIL_PROOF_FROM: '2027-02-30' }, /^EMAIL_PROOF_FROM: .*is not a date/],
    [{ EMAIL_PROOF: 'required', EMAIL_PROOF_FROM: '31.01.2027' }, /^EMAIL_PROOF_FROM: .*is not a date/],
    [{ EMAIL_PROOF_FROM: '2027-01-31' }, /^EMAIL_PROOF_FROM: requires EMAIL_PROOF=required/],
    [{ ...UPSTREAM, EMAIL_PROOF: 'required' }, /^EMAIL_PROOF: required needs SMTP_URL/],
  ])('refuse %j', (env, fault) => {
    expect(findFaults(env as Record<string, string>)).toContainEqual(expect.stringMatching(fault));
  });
});
