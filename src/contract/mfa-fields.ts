/**
 * Derives the members about single kinds of second factor, as the specification and the operator API define them, from the list of all
 * kinds. The state of the second step has older names in two spellings (GEN-8): both are read, but only
 * snake_case is written.
 */
import type { MfaFactorState, MfaVerificationState } from './mfa-state.js';
import type { MfaRegistrationStatusAnswer } from './rpc.js';

interface CountedFactor {
  name: string;
  count: number;
}

/** @returns the members for the account area and its calls (RPC-2) */
export function toSpecifiedCounts(factors: readonly CountedFactor[]): MfaRegistrationStatusAnswer {
  return { totp_registered: findCount(factors, 'totp') > 0, count_registered_fido2_devices: findCount(factors, 'fido2') };
}

/** @returns the members for the second step (MFV-1) */
export function toSpecifiedFlags(
  factors: Pick<MfaVerificationState, 'factors'>['factors'],
): Pick<MfaVerificationState, 'totp_registered' | 'fido2_registered' | 'recovery_codes_left'> {
  const isRegistered = (name: string): boolean => factors.some((factor) => factor.name === name && factor.registered);
  return {
    totp_registered: isRegistered('totp'),
    fido2_registered: isRegistered('fido2'),
    recovery_codes_left: isRegistered('recovery'),
  };
}

/** @returns the members for the operator API */
export function toOperatorCounts(factors: readonly CountedFactor[]) {
  return {
    totp: findCount(factors, 'totp') > 0,
    security_keys: findCount(factors, 'fido2'),
    recovery_codes_left: findCount(factors, 'recovery'),
  };
}

function findCount(factors: readonly CountedFactor[], name: string): number {
  return factors.find((factor) => factor.name === name)?.count ?? 0;
}

type SpecifiedState = Pick<MfaVerificationState, 'totp_registered' | 'fido2_registered' | 'login_challenge' | 'xsrf_token'>;

/** The state with the four names in either spelling. Members that are not in the specification may be missing. */
export type MfaFields = Partial<MfaVerificationState> & {
  totpRegistered?: boolean;
  fido2Registered?: boolean;
  loginChallenge?: string;
  xsrfToken?: string;
};

export function readMfaFields(state: MfaFields): MfaVerificationState {
  const { totpRegistered, fido2Registered, loginChallenge, xsrfToken, ...rest } = state;
  const specifiedState: SpecifiedState = {
    totp_registered: rest.totp_registered ?? totpRegistered ?? false,
    fido2_registered: rest.fido2_registered ?? fido2Registered ?? false,
    login_challenge: rest.login_challenge ?? loginChallenge ?? '',
    xsrf_token: rest.xsrf_token ?? xsrfToken ?? '',
  };
  const factors = rest.factors ?? toSpecifiedFactors(specifiedState);
  return { ...DEFAULTS, ...rest, ...specifiedState, factors, view: rest.view ?? toView(factors) };
}

/** Values of members that the specification does not define. */
const DEFAULTS = { token: '', error: null, recovery_codes_left: false, wanted_by: 'installation', ticket: '' } as const;

/** The two kinds of the specification. Both can be set up if none is set up. */
function toSpecifiedFactors({ totp_registered: totp, fido2_registered: fido2 }: SpecifiedState): MfaFactorState[] {
  const isOffered = !totp && !fido2;
  return [
    { name: 'totp', registered: totp, offered: isOffered },
    { name: 'fido2', registered: fido2, offered: isOffered },
  ];
}

/** A single factor is shown directly; if there are several, the person chooses (MFV-2, MFV-3). */
function toView(factors: readonly MfaFactorState[]): string {
  const [firstFactor, ...otherFactors] = factors.filter(({ registered }) => registered);
  if (!firstFactor) return 'enrol';
  return otherFactors.length === 0 ? firstFactor.name : 'choose';
}
