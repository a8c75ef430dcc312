/** The field for a username or an e-mail address on pages that mail something to the account, and the error of the form. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { UsernameFormState } from '../../src/contract/reset-state.js';
import { ALERT_ID, ErrorAlert } from './alert.js';
import { Field } from './field.js';
import { StaleAlert } from './stale-alert.js';
import { UsernameInput } from './username-input.js';
import { Wait } from './wait.js';

interface Props {
  form: UsernameFormState;
  hint?: string;
  /** The page shows an alert of its own. */
  hasAlert?: boolean;
}

export function UsernameFields({ form, hint, hasAlert = false }: Props) {
  const { t } = useTranslation();
  const { error, by_email: byEmail, username } = form;
  return (
    <>
      <UsernameAlert form={form} />
      <Field
        name={FIELDS.username}
        label={t(byEmail ? 'password_request.username_or_email' : 'password_request.username')}
        hint={hint}
        alertId={error === 'empty-username' ? ALERT_ID : undefined}
        requiredMessage={t(toMissingMessage(form))}
      >
        {(wiring) => <UsernameInput {...wiring} autoFocus={!error && !hasAlert} defaultValue={username} />}
      </Field>
    </>
  );
}

const toMissingMessage = ({ by_email: byEmail }: UsernameFormState) =>
  byEmail ? 'password_request.no_name_next' : 'password_request.no_username_next';

function UsernameAlert({ form }: { form: UsernameFormState }) {
  const { t } = useTranslation();
  const { error, by_email: byEmail, retry_after: seconds } = form;
  switch (error) {
    case null:
      return null;
    case 'empty-username':
      return (
        <ErrorAlert code={error} message={byEmail ? 'password_request.no_name' : 'password_request.no_username'}>
          <p>{t(toMissingMessage(form))}</p>
        </ErrorAlert>
      );
    case 'stale':
      return <StaleAlert />;
    case 'limited':
      return (
        <ErrorAlert code={error} message="password_request.limited">
          <p>
            <Wait seconds={seconds} />
          </p>
        </ErrorAlert>
      );
  }
}
