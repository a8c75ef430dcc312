/**
 * Changes the password, or links to the request for a first one. With script, the button is enabled only while the input is valid
 * (MAN-13, ERR-3).
 */
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { listPasswordChecks } from '../../src/contract/password-strength.js';
import { PATHS } from '../../src/contract/paths.js';
import { leaveFor } from '../browser/address.js';
import type { Send } from '../browser/busy-submit.js';
import { useTypedFields } from '../browser/typed-fields.js';
import { phrase } from '../i18n/phrase.js';
import { CancelLink } from '../ui/account/cancel-link.js';
import { toAccount, BACK_TO_SETTINGS, toHiddenFields, buildSettingsUrl, useRpcClient } from '../ui/account/manage-frame.js';
import { findAlertId, FaultAlert, useFault, type Fault } from '../ui/account/fault.js';
import { AccountName } from '../ui/account-name.js';
import { NewPassword } from '../ui/account/new-password.js';
import { SaveOrCancel } from '../ui/account/save-or-cancel.js';
import { WeakReasons } from '../ui/account/weak-reasons.js';
import { Field } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { PasswordInput } from '../ui/password-input.js';
import { AccountChip } from '../ui/account-chip.js';
import { Heading } from '../ui/heading.js';
import { LastChange } from '../ui/account/last-change.js';

const NAMES = { password: FIELDS.newPassword, repeat: FIELDS.newPasswordRepeat };

export const heading = ({ manage_password }: PageOf<'manage_password'>) =>
  phrase(manage_password.password_set ? 'manage_password.heading' : 'manage_password.none_heading');

export function Page({ state }: { state: PageOf<'manage_password'> }) {
  return state.manage_password.password_set ? <ChangePassword state={state} /> : <FirstPassword state={state} />;
}

function ChangePassword({ state }: { state: PageOf<'manage_password'> }) {
  const { t } = useTranslation();
  const { error, rules, reasons, retry_after: retryAfterSeconds } = state.manage_password;
  const calls = useRpcClient(state, PATHS.managePassword);
  const { fault, report } = useFault(error, { retryAfterSeconds, reasons });
  const id = useId();
  const fields = useTypedFields(id);
  const { [FIELDS.password]: currentPassword = '', [NAMES.password]: password = '', [NAMES.repeat]: repeat = '' } = fields;
  const checks = listPasswordChecks(password, repeat, rules);
  const isReady = currentPassword !== '' && checks.every(({ ok }) => ok);
  const save: Send = async () => {
    // The Enter key can send the form while the visible button is disabled.
    if (!isReady) return 'stays';
    const answer = await calls.put('/password', { password: currentPassword, newPassword: password, newPasswordRepeat: repeat });
    if (answer.kind === 'answered') return leaveFor(buildSettingsUrl('password-success'));
    report(answer);
    return 'stays';
  };
  return (
    <Form id={id} className="flow" action={PATHS.managePassword} hidden={toHiddenFields(state)} send={save}>
      <Heading heading={heading(state)} backLink={BACK_TO_SETTINGS} />
      <LastChange frame={state} />
      {state.user && (
        <div className="narrow">
          <AccountChip account={toAccount(state.user)} label="account.signed_in_as" />
        </div>
      )}
      <FaultAlert fault={fault} nextStep={fault?.reasons && <WeakReasons reasons={fault.reasons} rules={rules} />} />
      <div className="stack narrow">
        <AccountName username={state.user?.username} />
        <Field
          name={FIELDS.password}
          label={t('new_password.current')}
          alertId={findAlertId(fault, ['no password given', 'current password invalid'])}
          requiredMessage={t('new_password.current_missing')}
        >
          {(wiring) => <PasswordInput {...wiring} autoComplete="current-password" autoFocus={!fault} />}
        </Field>
        <NewPassword names={NAMES} password={password} checks={checks} rules={rules} alertIds={findAlertIds(fault)} />
      </div>
      <SaveOrCancel isReady={isReady} />
    </Form>
  );
}

/**
 * Links to the request for a first password. An account has no password if the person signs in only with a provider or a passkey, or
 * if nobody has set a password yet.
 */
function FirstPassword({ state }: { state: PageOf<'manage_password'> }) {
  const { t } = useTranslation();
  return (
    <div className="flow">
      <Heading heading={heading(state)} backLink={BACK_TO_SETTINGS}>
        <p>{t('manage_password.none_text')}</p>
      </Heading>
      {state.user && (
        <div className="narrow">
          <AccountChip account={toAccount(state.user)} label="account.signed_in_as" />
        </div>
      )}
      <div className="actions">
        <a className="btn primary" href={PATHS.passwordRequestForm}>
          {t('manage_password.none_request')}
        </a>
        <CancelLink />
      </div>
    </div>
  );
}

const findAlertIds = (fault: Fault | null) => ({
  password: findAlertId(fault, ['no new password given', 'password not strong enough']),
  repeat: findAlertId(fault, ['no repeat new password given', 'password and repetition not equal']),
});
