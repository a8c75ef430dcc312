/**
 * The form for a new password, which the link in a mail opens (PWR-4, PWR-5). The form is always posted, because RPC calls need a
 * session.
 */
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { passwordChecks } from '../../src/contract/password-strength.js';
import { PATHS } from '../../src/contract/paths.js';
import type { PasswordResetFormState } from '../../src/contract/reset-state.js';
import { useTypedFields } from '../browser/typed-fields.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { AccountName } from '../ui/account-name.js';
import { NewPassword } from '../ui/account/new-password.js';
import { WeakReasons } from '../ui/account/weak-reasons.js';
import { ALERT_ID, ErrorAlert } from '../ui/alert.js';
import { AccountChip } from '../ui/account-chip.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';

type ResetError = NonNullable<PasswordResetFormState['error']>;

const NAMES = { password: FIELDS.password, repeat: FIELDS.passwordRepeat };

/** The message for each error, what to do next, and the field that the error is about. */
const WORDS: Record<ResetError, readonly [message: MessageKey, next: MessageKey, field?: keyof typeof NAMES]> = {
  'empty-password': ['fault.no_new_password', 'fault.no_new_password_next', 'password'],
  'empty-password-repeat': ['fault.no_repeat', 'fault.no_repeat_next', 'repeat'],
  'passwords-not-equal': ['fault.not_equal', 'fault.not_equal_next', 'repeat'],
  'password-strength': ['fault.not_strong', 'fault.not_strong_next', 'password'],
  busy: ['password_reset.busy', 'password_reset.busy_next'],
  stale: ['stale.message', 'stale.next'],
};

export const heading = (_: PageOf<'password_reset_form'>) => phrase('password_reset.heading');

export function Page({ state }: { state: PageOf<'password_reset_form'> }) {
  const { t } = useTranslation();
  const { account, error, rules, reset_token: token, xsrf_token: xsrf } = state.password_reset_form;
  const id = useId();
  const { [NAMES.password]: password = '', [NAMES.repeat]: repeat = '' } = useTypedFields(id);
  const checks = passwordChecks(password, repeat, rules);
  const words = { label: t('password_reset.submit'), busyLabel: t('password_reset.submitting') };
  return (
    <Form id={id} className="flow" action={PATHS.passwordReset} hidden={{ [FIELDS.resetToken]: token, [FIELDS.xsrf]: xsrf }}>
      <Heading heading={heading(state)}>
        <p>{t('password_reset.text')}</p>
      </Heading>
      {account && <AccountChip account={account} label="account.account" />}
      <AccountName username={account?.username} />
      {error && <ResetAlert error={error} form={state.password_reset_form} />}
      <div className="stack">
        <NewPassword
          names={NAMES}
          password={password}
          checks={checks}
          rules={rules}
          alertIds={{ password: findAlertId(error, 'password'), repeat: findAlertId(error, 'repeat') }}
          autoFocus={!error}
        />
      </div>
      <SubmitButton primary {...words} />
    </Form>
  );
}

function ResetAlert({ error, form: { reasons, rules } }: { error: ResetError; form: PasswordResetFormState }) {
  const { t } = useTranslation();
  const [message, next] = WORDS[error];
  return (
    <ErrorAlert code={error} message={message} tone={error === 'stale' ? 'info' : 'danger'}>
      <p>{reasons ? <WeakReasons reasons={reasons} rules={rules} /> : t(next)}</p>
    </ErrorAlert>
  );
}

function findAlertId(error: ResetError | null, field: keyof typeof NAMES): string | undefined {
  return error && WORDS[error][2] === field ? ALERT_ID : undefined;
}
