/** The two fields for a new password in a form that is posted, and the error of the form. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { PasswordFault, PasswordRules } from '../../../src/contract/manage-state.js';
import { listPasswordChecks } from '../../../src/contract/password-strength.js';
import { useTypedFields } from '../../browser/typed-fields.js';
import type { MessageKey } from '../../i18n/phrase.js';
import { ALERT_ID, ErrorAlert } from '../alert.js';
import { NewPassword } from './new-password.js';
import { WeakReasons } from './weak-reasons.js';

const NAMES = { password: FIELDS.password, repeat: FIELDS.passwordRepeat };

/** The message for an error, what to do next, and the field that the error is about. */
export type ErrorWords = readonly [message: MessageKey, nextStep: MessageKey, field?: keyof typeof NAMES];

/** The errors that every form with these fields has. */
export const NEW_PASSWORD_WORDS = {
  'empty-password': ['fault.no_new_password', 'fault.no_new_password_next', 'password'],
  'empty-password-repeat': ['fault.no_repeat', 'fault.no_repeat_next', 'repeat'],
  'passwords-not-equal': ['fault.not_equal', 'fault.not_equal_next', 'repeat'],
  'password-strength': ['fault.not_strong', 'fault.not_strong_next', 'password'],
  busy: ['password_reset.busy', 'password_reset.busy_next'],
  stale: ['stale.message', 'stale.next'],
} as const satisfies Record<string, ErrorWords>;

interface FormState<Error extends string> {
  error: Error | null;
  /** Only with the error `password-strength`. */
  reasons?: readonly PasswordFault[];
  rules: PasswordRules;
}

interface Props<Error extends string> {
  /** Id of the form with the fields. */
  formId: string;
  form: FormState<Error>;
  words: Readonly<Record<Error, ErrorWords>>;
  /** Shown below the explanation of the error. */
  errorNote?: ReactNode;
  /** Default: true if there is no error. */
  autoFocus?: boolean;
}

export function NewPasswordFields<Error extends string>({
  formId,
  form,
  words,
  errorNote,
  autoFocus = form.error === null,
}: Props<Error>) {
  const { t } = useTranslation();
  const { error, reasons, rules } = form;
  const { [NAMES.password]: password = '', [NAMES.repeat]: repeat = '' } = useTypedFields(formId);
  const [message, nextStep, field] = error === null ? [] : words[error];
  return (
    <>
      {error !== null && message && nextStep && (
        <ErrorAlert code={error} message={message} tone={error === 'stale' ? 'info' : 'danger'}>
          <p>{reasons ? <WeakReasons reasons={reasons} rules={rules} /> : t(nextStep)}</p>
          {errorNote}
        </ErrorAlert>
      )}
      <div className="stack">
        <NewPassword
          names={NAMES}
          password={password}
          checks={listPasswordChecks(password, repeat, rules)}
          rules={rules}
          alertIds={{
            password: field === 'password' ? ALERT_ID : undefined,
            repeat: field === 'repeat' ? ALERT_ID : undefined,
          }}
          autoFocus={autoFocus}
        />
      </div>
    </>
  );
}
