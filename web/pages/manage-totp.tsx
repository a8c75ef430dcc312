/** Setting up an authenticator app in the account area (MAN-4, MAN-11). */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TotpSetupState } from '../../src/contract/mfa-state.js';
import type { ManageTotpPage } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { FactorAddedAnswer } from '../../src/contract/rpc.js';
import { leaveFor } from '../browser/address.js';
import { phrase } from '../i18n/phrase.js';
import { BACK_TO_MFA, hiddenOf, settingsWith, useRpcClient } from '../ui/account/manage-frame.js';
import { CodesPage } from '../ui/account/codes-page.js';
import { TotpSteps } from '../ui/account/totp-steps.js';
import { Heading } from '../ui/heading.js';

export const heading = ({ manage_totp }: ManageTotpPage) =>
  phrase(manage_totp.replaces ? 'settings.replace_totp' : 'factor.totp_heading');

export function Page({ state }: { state: ManageTotpPage }) {
  const { t } = useTranslation();
  const { setup, error, replaces } = state.manage_totp;
  const action = replaces ? PATHS.manageReplaceTotp : PATHS.manageRegisterTotp;
  const wanted = replaces && { replace: true };
  const calls = useRpcClient(state, action);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <CodesPage codes={codes} appName={state.app.name} next={settingsWith('mfa-success')} live />;

  const confirm = async (code: string) => {
    const answer = await calls.post<FactorAddedAnswer>('/mfa-verify-totp', { code, ...wanted });
    if (answer.kind === 'failed') return answer;
    if (!answer.body.recovery_codes?.length) return leaveFor(settingsWith('mfa-success'));
    setCodes(answer.body.recovery_codes);
    return null;
  };
  return (
    <div className="flow">
      <Heading heading={heading(state)} back={BACK_TO_MFA}>
        {replaces && <p>{t('settings.replace_totp_text')}</p>}
      </Heading>
      <TotpSteps
        setup={setup}
        error={error}
        action={action}
        hidden={hiddenOf(state)}
        begin={() => calls.post<TotpSetupState>('/mfa-init-totp', wanted)}
        confirm={confirm}
        abort={
          <a className="btn quiet" href={PATHS.manage}>
            {t('settings.cancel')}
          </a>
        }
      />
    </div>
  );
}
