import { describe, expect, it } from '@jest/globals';
import type { FactorCounts } from '../accounts/account/factor-counts.js';
import type { ProofLevel } from './policy.js';
import { nextStep } from './next-step.js';

const NO_FACTORS: FactorCounts = {};
const APP: FactorCounts = { totp: 1, 'recovery-codes': 10 };
const PASSKEY: FactorCounts = { passkey: 1 };
const KEY: FactorCounts = { webauthn: 1, 'recovery-codes': 10 };
const APP_AND_KEYS: FactorCounts = { totp: 1, webauthn: 2, 'recovery-codes': 10 };
/** A kind that only a newer version supports. */
const NEWER_KIND: FactorCounts = { pin: 1, 'recovery-codes': 10 };
const PWD = ['pwd'];
const OTP = ['pwd', 'otp', 'mfa'];
const HWK = ['pwd', 'hwk', 'mfa'];
const SWK = ['pwd', 'swk', 'pop', 'user', 'pin', 'mfa'];
const TOUCH = ['pwd', 'hwk', 'pop', 'user', 'mfa'];
const HARDWARE = ['pwd', 'hwk', 'pop', 'user', 'pin', 'mfa'];
const FED = ['fed'];
const MAIL = ['mail'];
/** Codes by mail are the only second factor. */
const MAIL_CODES: FactorCounts = { 'email-code': 1, 'recovery-codes': 10 };
const APP_AND_MAIL_CODES: FactorCounts = { ...APP, ...MAIL_CODES };

type Row = [
  wantedLevel: ProofLevel | readonly ProofLevel[],
  factors: FactorCounts,
  provenMethods: string[],
  step: ReturnType<typeof nextStep>,
];

const ROWS: Row[] = [
  ['any', NO_FACTORS, PWD, 'accept'],
  ['any', APP, PWD, 'verify'],
  ['any', KEY, PWD, 'verify'],
  ['any', APP_AND_KEYS, OTP, 'accept'],
  ['any', KEY, HWK, 'accept'],
  ['any', NEWER_KIND, PWD, 'verify'],
  ['factor', NEWER_KIND, PWD, 'verify'],
  ['factor', NO_FACTORS, PWD, 'enrol'],
  ['factor', APP, PWD, 'verify'],
  ['factor', KEY, PWD, 'verify'],
  ['factor', APP, OTP, 'accept'],
  ['factor', APP_AND_KEYS, HWK, 'accept'],
  // The proof is valid, although its factor has been removed since.
  ['factor', NO_FACTORS, OTP, 'accept'],
  ['key', NO_FACTORS, PWD, 'enrol'],
  ['key', APP, PWD, 'unmet'],
  ['key', APP, OTP, 'unmet'],
  ['key', KEY, PWD, 'verify'],
  ['key', APP_AND_KEYS, OTP, 'verify'],
  ['key', APP_AND_KEYS, HWK, 'accept'],
  ['key', KEY, SWK, 'accept'],
  ['key', NO_FACTORS, OTP, 'unmet'],
  ['hardware', NO_FACTORS, PWD, 'enrol'],
  ['hardware', KEY, PWD, 'verify'],
  ['hardware', KEY, HARDWARE, 'accept'],
  ['hardware', KEY, SWK, 'unmet'],
  // The key may verify its user when the request requires it.
  ['hardware', KEY, TOUCH, 'verify'],
  ['hardware', APP, OTP, 'unmet'],
  [['hardware', 'factor'], APP, PWD, 'verify'],
  [['hardware', 'factor'], APP, OTP, 'accept'],
  [['hardware', 'key'], KEY, SWK, 'accept'],
  [['key', 'own'], APP, PWD, 'verify'],
  ['any', NO_FACTORS, FED, 'accept'],
  ['own', NO_FACTORS, FED, 'prove'],
  ['own', APP, FED, 'verify'],
  ['own', APP, ['fed', 'otp', 'mfa'], 'accept'],
  ['own', NO_FACTORS, PWD, 'accept'],
  // A mailed code is less than a password and never the second factor of itself; it sets up nothing.
  ['any', NO_FACTORS, MAIL, 'accept'],
  ['provider', NO_FACTORS, MAIL, 'prove'],
  ['provider', NO_FACTORS, FED, 'accept'],
  ['own', NO_FACTORS, MAIL, 'prove'],
  ['factor', NO_FACTORS, MAIL, 'prove'],
  ['key', NO_FACTORS, MAIL, 'prove'],
  ['any', APP, MAIL, 'verify'],
  ['any', APP, ['mail', 'otp', 'mfa'], 'accept'],
  ['any', MAIL_CODES, MAIL, 'prove'],
  ['any', APP_AND_MAIL_CODES, MAIL, 'verify'],
  ['factor', MAIL_CODES, MAIL, 'prove'],
  ['own', MAIL_CODES, PWD, 'verify'],
];

describe('[MFV-7] the next step', () => {
  it.each(ROWS)(
    'with the wanted level %s, the factors %j and the proven methods %j is %s',
    (level, factors, provenMethods, step) => {
      const wantedProof = { levels: [level].flat(), offersKey: true, requiredBy: 'client' } as const;
      expect(nextStep({ provenMethods, factors, wantedProof })).toBe(step);
    },
  );

  it.each<[FactorCounts, string[], ReturnType<typeof nextStep>]>([
    [PASSKEY, PWD, 'verify'],
    [APP, PWD, 'verify'],
    [NO_FACTORS, PWD, 'accept'],
    [PASSKEY, SWK, 'accept'],
    [APP, OTP, 'accept'],
  ])(
    '[S-122] before a new password, with the factors %j and the proven methods %j, is %s even in a trusted browser, which otherwise needs no factor',
    (...row) => {
      const [factors, provenMethods, step] = row;
      const wantedProof = { levels: ['any'], offersKey: true, requiredBy: 'client' } as const;
      expect(nextStep({ provenMethods, factors, wantedProof, isTrusted: true, replacesCredential: true })).toBe(step);
      expect(nextStep({ provenMethods, factors, wantedProof, isTrusted: true })).toBe('accept');
    },
  );

  it.each<[FactorCounts, string[], ReturnType<typeof nextStep>]>([
    [NO_FACTORS, PWD, 'enrol'],
    [NO_FACTORS, FED, 'accept'],
    [NO_FACTORS, MAIL, 'accept'],
    [PASSKEY, PWD, 'accept'],
    [PASSKEY, SWK, 'accept'],
    [APP, PWD, 'verify'],
    [APP, OTP, 'accept'],
  ])(
    '[TSK-34] before the day from which a factor is required, with the factors %j and the proven methods %j, is %s, and never an enrolment after it was postponed',
    (factors, provenMethods, step) => {
      const factorFrom = new Date('2027-01-31T00:00:00Z');
      const wantedProof = { levels: ['any'], offersKey: true, requiredBy: 'installation', factorFrom } as const;
      expect(nextStep({ provenMethods, factors, wantedProof })).toBe(step);
      expect(nextStep({ provenMethods, factors, wantedProof, isPostponed: true })).toBe(step === 'enrol' ? 'accept' : step);
    },
  );

  it('[TSK-34] is the enrolment once a factor is required, although it was postponed before', () => {
    const wantedProof = { levels: ['factor'], offersKey: true, requiredBy: 'installation' } as const;
    expect(nextStep({ provenMethods: PWD, factors: NO_FACTORS, wantedProof, isPostponed: true })).toBe('enrol');
  });

  it('is not the verification of a passkey before a new password while passkeys are turned off', () => {
    const wantedProof = { levels: ['any'], offersKey: true, requiredBy: 'client', usesPasskeys: false } as const;
    expect(nextStep({ provenMethods: PWD, factors: PASSKEY, wantedProof, replacesCredential: true })).toBe('accept');
  });

  it('[V15] is a verification if only `mfa` and no method of a factor was proven', () => {
    const wantedProof = { levels: ['factor'], offersKey: true, requiredBy: 'client' } as const;
    expect(nextStep({ provenMethods: ['pwd', 'mfa'], factors: APP, wantedProof })).toBe('verify');
  });

  it('is not the enrolment of a key if people cannot set up a key', () => {
    const wantedProof = { levels: ['key'], offersKey: false, requiredBy: 'client' } as const;
    expect(nextStep({ provenMethods: PWD, factors: NO_FACTORS, wantedProof })).toBe('unmet');
  });
});
