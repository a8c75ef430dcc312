/** Sets up an authenticator app, in the account area or during a sign-in (MAN-11, MFV-2). */
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { TotpSetupState } from '../../../src/contract/mfa-state.js';
import type { Answer } from '../../browser/calls/call.js';
import type { SetUpProps } from '../factor.js';
import { CancelLink } from '../../ui/account/cancel-link.js';
import { TotpSteps } from './totp-steps.js';

export function SetUpTotp({ setup, begin, confirm, replaces, otherLink, ...props }: SetUpProps) {
  const replacement = replaces ? { replace: true } : undefined;
  return (
    <TotpSteps
      {...props}
      setup={setup as TotpSetupState | undefined}
      begin={() => begin(replacement) as Promise<Answer<TotpSetupState>>}
      confirm={(code) => confirm({ [FIELDS.code]: code, ...replacement })}
      secondaryAction={otherLink ?? <CancelLink />}
    />
  );
}
