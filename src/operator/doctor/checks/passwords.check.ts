/** Rules for passwords and for the reset of factors that are weaker than they could be. */
import type { Check } from '../check.js';
import { hint, ok } from '../finding.js';

export const passwordsCheck: Check = {
  title: 'Passwords',
  run: ({ config: { password, mfa } }) => {
    const findings = [
      ...(password.minLengthAlone === undefined
        ? [
            hint(
              `A password of ${password.minLength} characters is enough, also without a second factor.`,
              'Set PASSWORD_PROFILE=nist: 8 characters beside a second factor, 15 alone; existing passwords stay.',
            ),
          ]
        : []),
      ...(mfa.resetProof === 'none'
        ? [
            hint(
              'Whoever has the token of a contact person can remove all second factors of an account, without its password.',
              'Set FACTOR_RESET_PROOF=password, unless people who lost both are to be helped this way.',
            ),
          ]
        : []),
    ];
    return Promise.resolve(findings.length > 0 ? findings : [ok('New passwords have the lengths of NIST SP 800-63B-4.')]);
  },
};
