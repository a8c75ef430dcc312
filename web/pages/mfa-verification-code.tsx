/** A code of an authenticator app, verified by an RPC call and submitted 100 ms later (MFV-5), or a recovery code. */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import { MfaCalls } from '../browser/calls/mfa-calls.js';
import { useSubmitSoon } from '../browser/timing.js';
import { CodeField, digitsOf } from '../ui/account/code-field.js';
import { alertFor, FaultAlert, useFault } from '../ui/account/fault.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { faultOf, hiddenFields, OtherWays, Step, viewUrl } from './mfa-verification-frame.js';
import type { ViewProps } from './mfa-verification-frame.js';

export function TotpForm({ heading, mfa, app }: ViewProps) {
  const { t } = useTranslation();
  const { fault, tell } = useFault(faultOf(mfa), { retryAfterSeconds: mfa.retry_after });
  const [proof, setProof] = useState<string | null>(null);
  const [calls] = useState(() => new MfaCalls(mfa, viewUrl(mfa, { method: 'totp' })));
  const form = useRef<HTMLFormElement>(null);
  useSubmitSoon(form, proof);
  const verify = async (code: string) => {
    const answer = await calls.verifyTotp(code);
    if (answer.kind === 'failed') tell(answer);
    else setProof(answer.body.token);
    return answer.kind === 'failed' ? 'stays' : 'leaves';
  };
  return (
    <Form
      className="flow"
      form={form}
      action={PATHS.mfaVerify}
      hidden={hiddenFields(mfa, proof ? { [FIELDS.mfaToken]: proof } : { [FIELDS.method]: 'totp' })}
      send={(fields) => verify(digitsOf(fields[FIELDS.code]))}
    >
      <Step heading={heading} mfa={mfa}>
        <p>{t('mfa.totp_text', { app: app.name })}</p>
      </Step>
      <FaultAlert fault={fault} />
      <CodeField alertId={alertFor(fault, ['invalid verification code'])} autoFocus={!fault} unnamed={proof !== null} />
      <div className="tight">
        <SubmitButton primary label={t('mfa.confirm')} busyLabel={t('factor.checking')} />
        <OtherWays mfa={mfa} but="totp" />
      </div>
    </Form>
  );
}

/** Posts with and without script: there is no RPC call for it. */
export function RecoveryForm({ heading, mfa }: ViewProps) {
  const { t } = useTranslation();
  const { fault } = useFault(faultOf(mfa), { retryAfterSeconds: mfa.retry_after });
  return (
    <Form className="flow" action={PATHS.mfaVerify} hidden={hiddenFields(mfa, { [FIELDS.method]: 'recovery' })}>
      <Step heading={heading} mfa={mfa}>
        <p>{t('mfa.recovery_text')}</p>
      </Step>
      <FaultAlert fault={fault} words={{ 'invalid verification code': ['mfa.recovery_invalid', 'mfa.recovery_invalid_next'] }} />
      <Field
        name={FIELDS.code}
        label={t('mfa.recovery_code')}
        alertId={alertFor(fault, ['invalid verification code'])}
        requiredMessage={t('mfa.recovery_missing')}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="mono"
            type="text"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={!fault}
          />
        )}
      </Field>
      <div className="tight">
        <SubmitButton primary label={t('mfa.confirm')} busyLabel={t('factor.checking')} />
        <OtherWays mfa={mfa} but="recovery" />
      </div>
    </Form>
  );
}
