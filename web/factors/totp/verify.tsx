/**
 * Verifies a code from an authenticator app. With script, an RPC call verifies the code, and the form is submitted 100 ms after a correct
 * code (MFV-5).
 */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import { PATHS } from '../../../src/contract/paths.js';
import { MfaCalls } from '../../browser/calls/mfa-calls.js';
import { useSubmitSoon } from '../../browser/timing.js';
import { CodeField, toDigits } from '../../ui/account/code-field.js';
import { useFault } from '../../ui/account/fault.js';
import { Form, SubmitButton } from '../../ui/form.js';
import type { VerifyProps } from '../factor.js';
import { toFaultCode, toHiddenFields, buildLimitWords, Step, TrustBox, buildViewUrl } from '../step.js';

export function VerifyTotp({ heading, mfa, app, otherLinks }: VerifyProps) {
  const { t } = useTranslation();
  const { fault, report } = useFault(toFaultCode(mfa), { retryAfterSeconds: mfa.retry_after });
  const [factorToken, setFactorToken] = useState<string | null>(null);
  const [calls] = useState(() => new MfaCalls(mfa, buildViewUrl(mfa, { method: 'totp' })));
  const form = useRef<HTMLFormElement>(null);
  useSubmitSoon(form, factorToken);
  const verify = async (code: string) => {
    const answer = await calls.verify('totp', { code });
    if (answer.kind === 'failed') report(answer);
    else setFactorToken(answer.body.token);
    return answer.kind === 'failed' ? 'stays' : 'leaves';
  };
  return (
    <Form
      className="flow"
      form={form}
      action={PATHS.mfaVerify}
      hidden={toHiddenFields(mfa, factorToken ? { [FIELDS.mfaToken]: factorToken } : { [FIELDS.method]: 'totp' })}
      send={(fields) => verify(toDigits(fields[FIELDS.code]))}
    >
      <Step heading={heading} mfa={mfa}>
        <p>{t('mfa.totp_text', { app: app.name })}</p>
      </Step>
      <TrustBox mfa={mfa} />
      <CodeField fault={fault} words={buildLimitWords(otherLinks)} autoFocus shouldAutoSubmit unnamed={factorToken !== null} />
      <div className="tight">
        <SubmitButton primary label={t('mfa.confirm')} busyLabel={t('factor.checking')} />
        {otherLinks}
      </div>
    </Form>
  );
}
