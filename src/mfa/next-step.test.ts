import { describe, expect, it } from '@jest/globals';
import type { FactorCounts } from '../accounts/account/factor-counts.js';
import type { WantedProof } from '../accounts/sessions/pending-authentications.js';
import { nextStep } from './next-step.js';

const NONE: FactorCounts = {};
const APP: FactorCounts = { totp: 1, 'recovery-codes': 10 };
const KEY: FactorCounts = { webauthn: 1, 'recovery-codes': 10 };
const BOTH: FactorCounts = { totp: 1, webauthn: 2, 'recovery-codes': 10 };
/** A kind that only a newer version knows. */
const ADDED_LATER: FactorCounts = { pin: 1, 'recovery-codes': 10 };
const PWD = ['pwd'];
const OTP = ['pwd', 'otp', 'mfa'];
const HWK = ['pwd', 'hwk', 'mfa'];

type Row = [wanted: WantedProof['level'], factors: FactorCounts, proven: string[], step: ReturnType<typeof nextStep>];

const ROWS: Row[] = [
  ['password', NONE, PWD, 'accept'],
  ['password', APP, PWD, 'verify'],
  ['password', KEY, PWD, 'verify'],
  ['password', BOTH, OTP, 'accept'],
  ['password', KEY, HWK, 'accept'],
  ['password', ADDED_LATER, PWD, 'verify'],
  ['factor', ADDED_LATER, PWD, 'verify'],
  ['factor', NONE, PWD, 'enrol'],
  ['factor', APP, PWD, 'verify'],
  ['factor', KEY, PWD, 'verify'],
  ['factor', APP, OTP, 'accept'],
  ['factor', BOTH, HWK, 'accept'],
  // The proof counts, although its factor has been removed since.
  ['factor', NONE, OTP, 'accept'],
  ['key', NONE, PWD, 'enrol'],
  ['key', APP, PWD, 'verify'],
  ['key', APP, OTP, 'accept'],
  ['key', KEY, PWD, 'verify'],
  ['key', BOTH, OTP, 'verify'],
  ['key', BOTH, HWK, 'accept'],
];

describe('[MFV-7] the next step', () => {
  it.each(ROWS)('wanted %s, set up %j, proven %j: %s', (level, factors, proven, step) => {
    expect(nextStep({ proven, factors, wanted: { level, by: 'client' } })).toBe(step);
  });

  it('V15 `mfa` alone proves nothing', () => {
    const wanted = { level: 'factor', by: 'client' } as const;
    expect(nextStep({ proven: ['pwd', 'mfa'], factors: APP, wanted })).toBe('verify');
  });
});
