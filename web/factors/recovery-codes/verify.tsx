/** The form for a recovery code. It is posted even with script, because there is no RPC call for it. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import { PATHS } from '../../../src/contract/paths.js';
import { findAlertId, FaultAlert, useFault } from '../../ui/account/fault.js';
import { Field } from '../../ui/field.js';
import { Form, SubmitButton } from '../../ui/form.js';
import type { VerifyProps } from '../factor.js';
import { toFaultCode, toHiddenFields, buildLimitWords, Step } from '../step.js';

export function VerifyRecoveryCode({ heading, mfa, otherLinks }: VerifyProps) {
  const { t } = useTranslation();
  const { fault } = useFault(toFaultCode(mfa), { retryAfterSeconds: mfa.retry_after });
  return (
    <Form className="flow" action={PATHS.mfaVerify} hidden={toHiddenFields(mfa, { [FIELDS.method]: 'recovery' })}>
      <Step heading={heading} mfa={mfa}>
        <p>{t('mfa.recovery_text')}</p>
      </Step>
      <FaultAlert
        fault={fault}
        words={{
          ...buildLimitWords(otherLinks),
          'invalid verification code': ['mfa.recovery_invalid', 'mfa.recovery_invalid_next'],
        }}
        fieldCodes={['invalid verification code']}
      />
      <Field
        name={FIELDS.code}
        label={t('mfa.recovery_code')}
        alertId={findAlertId(fault, ['invalid verification code'])}
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
            autoFocus={!fault || fault.code === 'invalid verification code'}
          />
        )}
      </Field>
      <div className="tight">
        <SubmitButton primary label={t('mfa.confirm')} busyLabel={t('factor.checking')} />
        {otherLinks}
      </div>
    </Form>
  );
}
