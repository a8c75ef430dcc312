/**
 * The older names in the state of the second step exist in two spellings (GEN-8). Both are read; snake_case is
 * written.
 */
import type { MfaVerificationState } from './mfa-state.js';

type Spelled = Pick<MfaVerificationState, 'totp_registered' | 'fido2_registered' | 'login_challenge' | 'xsrf_token'>;

/** The state with the four names in either spelling. */
export type MfaFields = Omit<MfaVerificationState, keyof Spelled> &
  Partial<Spelled> & {
    totpRegistered?: boolean;
    fido2Registered?: boolean;
    loginChallenge?: string;
    xsrfToken?: string;
  };

export function readMfaFields(state: MfaFields | MfaVerificationState): MfaVerificationState {
  const { totpRegistered, fido2Registered, loginChallenge, xsrfToken, ...rest }: MfaFields = state;
  return {
    ...rest,
    totp_registered: rest.totp_registered ?? totpRegistered ?? false,
    fido2_registered: rest.fido2_registered ?? fido2Registered ?? false,
    login_challenge: rest.login_challenge ?? loginChallenge ?? '',
    xsrf_token: rest.xsrf_token ?? xsrfToken ?? '',
  };
}
