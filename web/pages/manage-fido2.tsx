/** Enrolment of a security key in the account area; it starts automatically (MAN-4, MAN-12). */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManageFido2Page } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { leaveFor } from '../browser/address.js';
import { registerKey } from '../browser/calls/register-key.js';
import { phrase } from '../i18n/phrase.js';
import { BACK_TO_MFA, settingsWith, useRpcClient } from '../ui/account/manage-frame.js';
import { CodesPage } from '../ui/account/codes-page.js';
import { KeyStep } from '../ui/account/key-step.js';
import { Heading } from '../ui/heading.js';

export const heading = ({ manage_fido2 }: ManageFido2Page) =>
  phrase(manage_fido2.replaces ? 'settings.replace_key' : 'factor.key_heading');

export function Page({ state }: { state: ManageFido2Page }) {
  const { t } = useTranslation();
  const { replaces, error } = state.manage_fido2;
  const calls = useRpcClient(state, replaces ? PATHS.manageReplaceFido2 : PATHS.manageRegisterFido2);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <CodesPage codes={codes} appName={state.app.name} next={settingsWith('mfa-success')} live />;

  const ask = async () => {
    const answer = await registerKey(calls, replaces);
    if (answer.kind === 'failed') return answer;
    if (!answer.body.recovery_codes?.length) return leaveFor(settingsWith('mfa-success'));
    setCodes(answer.body.recovery_codes);
    return null;
  };
  return (
    <div className="flow">
      <Heading heading={heading(state)} back={BACK_TO_MFA}>
        <p>{t(replaces ? 'settings.replace_key_text' : 'factor.key_text')}</p>
      </Heading>
      <KeyStep
        ask={ask}
        error={error}
        withoutScript={
          !replaces && (
            <>
              {t('factor.key_instead')} <a href={PATHS.manageRegisterTotp}>{t('factor.totp_heading')}</a>
            </>
          )
        }
        abort={
          <a className="btn quiet" href={PATHS.manage}>
            {t('factor.abort')}
          </a>
        }
      />
    </div>
  );
}
