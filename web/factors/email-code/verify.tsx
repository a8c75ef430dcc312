/** Verifies a code by e-mail in the second step of a sign-in. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { EmailCodeState } from '../../../src/contract/mfa-state.js';
import { PATHS } from '../../../src/contract/paths.js';
import { useFault } from '../../ui/account/fault.js';
import type { VerifyProps } from '../factor.js';
import { toFaultCode, toHiddenFields, buildLimitWords, Step, TrustBox } from '../step.js';
import { CodeForms } from './code-forms.js';

export function VerifyEmailCode({ heading, mfa, otherLinks }: VerifyProps) {
  const { t } = useTranslation();
  const { fault } = useFault(toFaultCode(mfa), { retryAfterSeconds: mfa.retry_after });
  const state = mfa.factors.find(({ name }) => name === mfa.view)?.state as EmailCodeState | undefined;
  return (
    <div className="flow">
      <Step heading={heading} mfa={mfa}>
        {state?.address && !state.sent && <p>{t('factor.email_verify_text', { address: state.address })}</p>}
      </Step>
      <CodeForms
        state={state}
        action={PATHS.mfaVerify}
        hidden={toHiddenFields(mfa, { [FIELDS.method]: mfa.view })}
        fault={fault}
        words={buildLimitWords(otherLinks)}
        submitLabel="mfa.confirm"
        aboveField={<TrustBox mfa={mfa} />}
        shouldAutoSubmit
        otherLinks={otherLinks}
      />
    </div>
  );
}
