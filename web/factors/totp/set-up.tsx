/** Setting up an authenticator app, in the account area or during a login (MAN-11, MFV-2). */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { TotpSetupState } from '../../../src/contract/mfa-state.js';
import { PATHS } from '../../../src/contract/paths.js';
import type { Answer } from '../../browser/calls/call.js';
import type { SetUpProps } from '../factor.js';
import { TotpSteps } from './totp-steps.js';

export function SetUpTotp({ setup, begin, confirm, replaces, other, ...props }: SetUpProps) {
  const { t } = useTranslation();
  const wanted = replaces ? { replace: true } : undefined;
  return (
    <TotpSteps
      {...props}
      setup={setup as TotpSetupState | undefined}
      begin={() => begin(wanted) as Promise<Answer<TotpSetupState>>}
      confirm={(code) => confirm({ [FIELDS.code]: code, ...wanted })}
      abort={
        other ?? (
          <a className="btn quiet" href={PATHS.manage}>
            {t('settings.cancel')}
          </a>
        )
      }
    />
  );
}
