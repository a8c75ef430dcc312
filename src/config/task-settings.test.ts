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

describe('[TSK-30] the settings of the proof of an address', () => {
  it('turn it off by default', () => {
    expect(loadConfig({}).config.tasks).toMatchObject({ emailProof: 'off' });
  });

  it('name a day in UTC', () => {
    const env = { EMAIL_PROOF: 'required', EMAIL_PROOF_FROM: '2027-01-31' };
    expect(loadConfig(env).config.tasks).toMatchObject({ emailProofFrom: new Date('2027-01-31T00:00:00Z') });
  });

  it.each([
    [{ EMAIL_PROOF: 'yes' }, /^EMAIL_PROOF: /],
    [{ EMAIL_PROOF: 'required', EMAIL_PROOF_FROM: '2027-02-30' }, /^EMAIL_PROOF_FROM: .*is not a date/],
    [{ EMAIL_PROOF: 'required', EMAIL_PROOF_FROM: '31.01.2027' }, /^EMAIL_PROOF_FROM: .*is not a date/],
    [{ EMAIL_PROOF_FROM: '2027-01-31' }, /^EMAIL_PROOF_FROM: requires EMAIL_PROOF=required/],
    [{ ...UPSTREAM, EMAIL_PROOF: 'required' }, /^EMAIL_PROOF: required requires SMTP_URL/],
  ])('refuse %j', (env, fault) => {
    expect(findFaults(env as Record<string, string>)).toContainEqual(expect.stringMatching(fault));
  });
});
