/** Finds rules for passwords and for factor resets that are weaker than they could be. */
import type { Check } from '../check.js';
import { hint, ok } from '../finding.js';

export const passwordsCheck: Check = {
  title: 'Passwords',
  run: ({ config: { password, mfa } }) => {
    const findings = [
      ...(password.minLengthAlone === undefined
        ? [
            hint(
              `A password needs only ${password.minLength} characters, even without a second factor.`,
              'Set PASSWORD_PROFILE=nist: 8 characters with a second factor, 15 without one; existing passwords stay valid.',
            ),
          ]
        : []),
      ...(mfa.resetProof === 'none'
        ? [
            hint(
              'Whoever has the token of a contact person can remove all second factors of an account, without its password.',
              'Set FACTOR_RESET_PROOF=password, unless you want to help people in this way who have lost their password too.',
            ),
          ]
        : []),
    ];
    return Promise.resolve(findings.length > 0 ? findings : [ok('New passwords need the lengths of NIST SP 800-63B-4.')]);
  },
};
