/**
 * Asks for confirmation before all second factors of an account are removed. A link from a contact person opens the page (FAR-1).
 * Opening the page changes nothing.
 */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { MfaResetFormState } from '../../src/contract/reset-state.js';
import { phrase } from '../i18n/phrase.js';
import { AccountChip } from '../ui/account-chip.js';
import { AccountName } from '../ui/account-name.js';
import { ALERT_ID, ErrorAlert } from '../ui/alert.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { PasswordInput } from '../ui/password-input.js';
import { Heading } from '../ui/heading.js';
import { StaleAlert } from '../ui/stale-alert.js';
import { Wait } from '../ui/wait.js';

export const heading = (_: PageOf<'mfa_reset_form'>) => phrase('mfa_reset.heading');

export function Page({ state }: { state: PageOf<'mfa_reset_form'> }) {
  const { t } = useTranslation();
  const { mfa_reset_form: reset, app } = state;
  return (
    <Form
      className="flow"
      action={PATHS.mfaReset}
      hidden={{ [FIELDS.resetToken]: reset.reset_token, [FIELDS.xsrf]: reset.xsrf_token }}
    >
      <Heading heading={heading(state)} />
      {reset.account && <AccountChip account={reset.account} label="account.account" />}
      <ul className="bullets">
        <li>{t('mfa_reset.effect_factors')}</li>
        <li>{t('mfa_reset.effect_sessions')}</li>
        <li>{t('mfa_reset.effect_again')}</li>
      </ul>
      <ResetAlert reset={reset} />
      {reset.password_required && <AccountName username={reset.account?.username} />}
      {reset.password_required && (
        <Field
          name={FIELDS.password}
          label={t('mfa_reset.password')}
          hint={t('mfa_reset.password_hint')}
          alertId={reset.error === 'password' ? ALERT_ID : undefined}
          requiredMessage={t('mfa_reset.password_missing')}
        >
          {(wiring) => <PasswordInput {...wiring} autoComplete="current-password" autoFocus={reset.error === 'password'} />}
        </Field>
      )}
      <div className="tight">
        <SubmitButton primary className="danger" label={t('mfa_reset.submit')} busyLabel={t('mfa_reset.submitting')} />
        {app.home_url && (
          <a className="btn quiet" href={app.home_url}>
            {t('mfa_reset.cancel')}
          </a>
        )}
      </div>
    </Form>
  );
}

function ResetAlert({ reset: { error, retry_after: seconds } }: { reset: MfaResetFormState }) {
  const { t } = useTranslation();
  switch (error) {
    case null:
      return null;
    case 'password':
      return (
        <ErrorAlert code={error} message="mfa_reset.password_wrong" aboutField>
          <p>{t('mfa_reset.password_wrong_next')}</p>
        </ErrorAlert>
      );
    case 'stale':
      return <StaleAlert />;
    case 'limited':
      return (
        <ErrorAlert code={error} message="mfa_reset.limited">
          <p>
            <Wait seconds={seconds} />
          </p>
        </ErrorAlert>
      );
  }
}
