import { describe, expect, it } from '@jest/globals';
import { defined } from '../config/defined.js';
import { spellAcr, toAcr, chooseWantedProof, type PolicyCase } from './policy.js';

const LATER_TIME = new Date('2026-11-28T12:00:01Z');
const EARLIER_TIME = new Date('2026-11-28T12:00:00Z');
const PWD = 'urn:foyer:acr:pwd';
const MFA = 'urn:foyer:acr:mfa';
const PHRH = 'urn:foyer:acr:phrh';
const PHR = 'urn:foyer:acr:phr';
const FED = 'urn:foyer:acr:fed';

interface Case {
  account?: 'optional' | 'required';
  client?: boolean;
  acrValues?: string[];
  policy?: 'optional' | 'required';
  numericAcr?: boolean;
  requiredFrom?: Date;
}

function decide({
  account,
  client = false,
  acrValues = [],
  policy = 'optional',
  numericAcr = false,
  requiredFrom,
}: Case): string {
  const policyCase: PolicyCase = {
    account: account ? { secondFactor: account } : {},
    clientWantsFactor: client,
    acrValues,
    offersKey: true,
    config: { policy, numericAcr, ...defined({ requiredFrom }) },
    now: new Date('2026-11-28T12:00:00Z'),
  };
  const { levels, requiredBy } = chooseWantedProof(policyCase);
  return `${levels.join(' or ')} by ${requiredBy}`;
}

describe('[MFV-7] the proof that a sign-in requires', () => {
  it.each<[Case, string]>([
    [{}, 'any by installation'],
    [{ policy: 'required' }, 'factor by installation'],
    [{ policy: 'required', requiredFrom: LATER_TIME }, 'any by installation'],
    [{ policy: 'required', requiredFrom: EARLIER_TIME }, 'factor by installation'],
    [{ policy: 'required', requiredFrom: LATER_TIME, client: true }, 'factor by client'],
    [{ policy: 'required', requiredFrom: LATER_TIME, account: 'required' }, 'factor by account'],
    [{ account: 'required' }, 'factor by account'],
    [{ account: 'optional', policy: 'required' }, 'any by installation'],
    [{ account: 'optional', client: true }, 'factor by client'],
    [{ client: true }, 'factor by client'],
    [{ account: 'required', client: true }, 'factor by account'],
    [{ acrValues: [MFA] }, 'factor by client'],
    [{ account: 'optional', acrValues: [MFA] }, 'factor by client'],
    [{ acrValues: [PHRH] }, 'hardware by client'],
    [{ acrValues: [PHR] }, 'key by client'],
    [{ acrValues: ['phr'] }, 'key by client'],
    [{ acrValues: ['phrh'] }, 'hardware by client'],
    [{ account: 'required', acrValues: [PHRH] }, 'hardware by client'],
    [{ acrValues: ['urn:mace:incommon:iap:silver', MFA] }, 'factor by client'],
    [{ acrValues: ['urn:mace:incommon:iap:silver'] }, 'any by installation'],
    [{ acrValues: [PWD], client: true }, 'factor by client'],
    [{ acrValues: [PWD], policy: 'required' }, 'factor by installation'],
    // In order of preference.
    [{ acrValues: [PHRH, MFA] }, 'hardware or factor by client'],
    [{ acrValues: [PWD, MFA] }, 'own or factor by installation'],
    [{ acrValues: [PWD] }, 'own by installation'],
    [{ acrValues: [FED] }, 'provider by installation'],
    [{ acrValues: ['urn:foyer:acr:mail'] }, 'any by installation'],
    [{ acrValues: ['2'] }, 'any by installation'],
    [{ acrValues: ['2'], numericAcr: true }, 'factor by client'],
    [{ acrValues: ['3'], numericAcr: true }, 'hardware by client'],
    [{ acrValues: ['1'], numericAcr: true }, 'provider by installation'],
    [{ acrValues: ['0'], numericAcr: true }, 'any by installation'],
    [{ acrValues: ['4', '02', ''], numericAcr: true }, 'any by installation'],
  ])('for %j is %s', (options, expected) => {
    expect(decide(options)).toBe(expected);
  });
});

describe('[MFV-7] acr', () => {
  it('[S-58b] states what was proven, and no more', () => {
    expect(toAcr(['pwd'])).toBe(PWD);
    expect(toAcr(['pwd', 'otp', 'mfa'])).toBe(MFA);
    expect(toAcr(['fed'])).toBe(FED);
    expect(toAcr(['mail'])).toBe('urn:foyer:acr:mail');
    expect(spellAcr(toAcr(['mail']), ['1'], { numericAcr: true })).toBe('0');
    expect(toAcr(['pwd', 'hwk', 'pop', 'user', 'pin', 'mfa'])).toBe(PHRH);
    expect(toAcr(['pwd', 'hwk', 'pop', 'user', 'mfa'])).toBe(PHR);
    expect(toAcr(['pwd', 'swk', 'pop', 'user', 'pin', 'mfa'])).toBe(PHR);
    // Version 0.1 wrote `hwk` for every key.
    expect(toAcr(['pwd', 'hwk', 'mfa'])).toBe(PHR);
  });

  it('has the spelling of the request', () => {
    const numericConfig = { numericAcr: true };
    expect(spellAcr(MFA, ['2'], numericConfig)).toBe('2');
    expect(spellAcr(PWD, ['3'], numericConfig)).toBe('1');
    expect(spellAcr(PHRH, ['2'], numericConfig)).toBe('3');
    expect(spellAcr(PHR, ['3'], numericConfig)).toBe('2');
    expect(spellAcr(PHRH, ['phr'], numericConfig)).toBe('phrh');
    expect(spellAcr(MFA, ['phr', MFA], numericConfig)).toBe(MFA);
    expect(spellAcr(MFA, [MFA, '2'], numericConfig)).toBe(MFA);
    expect(spellAcr(MFA, [], numericConfig)).toBe(MFA);
    expect(spellAcr(MFA, ['2'], { numericAcr: false })).toBe(MFA);
  });
});
