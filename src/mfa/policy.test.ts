import { describe, expect, it } from '@jest/globals';
import { acrFor, acrOf, wantedProof } from './policy.js';
import type { PolicyCase } from './policy.js';

const PWD = 'urn:foyer:acr:pwd';
const MFA = 'urn:foyer:acr:mfa';
const PHRH = 'urn:foyer:acr:phrh';

interface Case {
  account?: 'optional' | 'required';
  client?: boolean;
  acrValues?: string[];
  policy?: 'optional' | 'required';
  numericAcr?: boolean;
}

function wanted({ account, client = false, acrValues = [], policy = 'optional', numericAcr = false }: Case): string {
  const given: PolicyCase = {
    account: account ? { secondFactor: account } : {},
    clientWantsFactor: client,
    acrValues,
    config: { policy, numericAcr },
  };
  const { level, by } = wantedProof(given);
  return `${level} by ${by}`;
}

describe('[MFV-7] what a sign-in has to be proven with', () => {
  it.each<[Case, string]>([
    [{}, 'password by installation'],
    [{ policy: 'required' }, 'factor by installation'],
    [{ account: 'required' }, 'factor by account'],
    [{ account: 'optional', policy: 'required' }, 'password by installation'],
    [{ account: 'optional', client: true }, 'factor by client'],
    [{ client: true }, 'factor by client'],
    [{ account: 'required', client: true }, 'factor by account'],
    [{ acrValues: [MFA] }, 'factor by client'],
    [{ account: 'optional', acrValues: [MFA] }, 'factor by client'],
    [{ acrValues: [PHRH] }, 'key by client'],
    [{ account: 'required', acrValues: [PHRH] }, 'key by client'],
    [{ acrValues: ['urn:mace:incommon:iap:silver', MFA] }, 'factor by client'],
    [{ acrValues: ['urn:mace:incommon:iap:silver'] }, 'password by installation'],
    [{ acrValues: [PWD], client: true }, 'factor by client'],
    [{ acrValues: [PWD], policy: 'required' }, 'factor by installation'],
    // The first known value has the highest preference.
    [{ acrValues: [PHRH, MFA] }, 'key by client'],
    [{ acrValues: [PWD, MFA] }, 'password by installation'],
    [{ acrValues: ['2'] }, 'password by installation'],
    [{ acrValues: ['2'], numericAcr: true }, 'factor by client'],
    [{ acrValues: ['3'], numericAcr: true }, 'key by client'],
    [{ acrValues: ['1'], numericAcr: true }, 'password by installation'],
    [{ acrValues: ['4', '02', ''], numericAcr: true }, 'password by installation'],
  ])('%j: %s', (given, expected) => {
    expect(wanted(given)).toBe(expected);
  });
});

describe('[MFV-7] acr', () => {
  it('says truthfully what was proven', () => {
    expect(acrOf(['pwd'])).toBe(PWD);
    expect(acrOf(['pwd', 'otp', 'mfa'])).toBe(MFA);
    expect(acrOf(['pwd', 'hwk', 'mfa'])).toBe(PHRH);
  });

  it('is spelled as it was asked', () => {
    const on = { numericAcr: true };
    expect(acrFor(MFA, ['2'], on)).toBe('2');
    expect(acrFor(PWD, ['3'], on)).toBe('1');
    expect(acrFor(PHRH, ['2'], on)).toBe('3');
    expect(acrFor(MFA, [MFA, '2'], on)).toBe(MFA);
    expect(acrFor(MFA, [], on)).toBe(MFA);
    expect(acrFor(MFA, ['2'], { numericAcr: false })).toBe(MFA);
  });
});
