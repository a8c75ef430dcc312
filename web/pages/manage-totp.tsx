/** Setting up an authenticator app in the account area (MAN-4, MAN-11). */
import { useState } from 'react';
import type { TotpSetupState } from '../../src/contract/mfa-state.js';
import type { ManageTotpPage } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { FactorAddedAnswer } from '../../src/contract/rpc.js';
import { leaveFor } from '../browser/address.js';
import { phrase } from '../phrases/phrase.js';
import { usePhrases } from '../phrases/say.js';
import { BACK_TO_MFA, hiddenOf, settingsWith, useAreaCalls } from '../ui/account/area.js';
import { CodesPage } from '../ui/account/codes-page.js';
import { TotpSteps } from '../ui/account/totp-steps.js';
import { Sign } from '../ui/sign.js';

export const heading = (_: ManageTotpPage) => phrase('factor.totp_heading');

export function Page({ state }: { state: ManageTotpPage }) {
  const { text } = usePhrases();
  const calls = useAreaCalls(state, PATHS.manageRegisterTotp);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <CodesPage codes={codes} appName={state.app.name} next={settingsWith('mfa-success')} live />;

  const confirm = async (code: string) => {
    const answer = await calls.post<FactorAddedAnswer>('/mfa-verify-totp', { code });
    if (answer.kind === 'failed') return answer;
    if (!answer.body.recovery_codes?.length) return leaveFor(settingsWith('mfa-success'));
    setCodes(answer.body.recovery_codes);
    return null;
  };
  return (
    <div className="flow">
      <Sign heading={heading(state)} back={BACK_TO_MFA} />
      <TotpSteps
        setup={state.manage_totp.setup}
        error={state.manage_totp.error}
        action={PATHS.manageRegisterTotp}
        hidden={hiddenOf(state)}
        begin={() => calls.post<TotpSetupState>('/mfa-init-totp')}
        confirm={confirm}
        abort={
          <a className="btn quiet" href={PATHS.manage}>
            {text('area.cancel')}
          </a>
        }
      />
    </div>
  );
}
