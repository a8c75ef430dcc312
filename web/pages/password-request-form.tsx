/** The form that requests a link for a password reset (PWR-1). */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { PasswordRequestFormState } from '../../src/contract/reset-state.js';
import { phrase } from '../i18n/phrase.js';
import { ALERT_ID, ErrorAlert } from '../ui/alert.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { StaleAlert } from '../ui/stale-alert.js';
import { Wait } from '../ui/wait.js';
import { UsernameInput } from '../ui/username-input.js';

export const heading = (_: PageOf<'password_request_form'>) => phrase('password_request.heading');

export function Page({ state }: { state: PageOf<'password_request_form'> }) {
  const { t } = useTranslation();
  const { password_request_form: request, app } = state;
  const signIn = request.restart_url ?? app.home_url;
  return (
    <Form
      className="flow"
      action={PATHS.passwordRequest}
      hidden={{ [FIELDS.xsrf]: request.xsrf_token, [FIELDS.ticket]: request.ticket }}
    >
      <Heading
        heading={heading(state)}
        back={signIn === undefined ? undefined : { href: signIn, label: 'password_request.back' }}
      >
        <p>{t(request.by_email ? 'password_request.text_by_email' : 'password_request.text')}</p>
      </Heading>
      <RequestAlert request={request} />
      <Field
        name={FIELDS.username}
        label={t(request.by_email ? 'password_request.username_or_email' : 'password_request.username')}
        hint={t('password_request.hint')}
        alertId={request.error === 'empty-username' ? ALERT_ID : undefined}
        requiredMessage={t(toMissingName(request))}
      >
        {(wiring) => <UsernameInput {...wiring} autoFocus={!request.error} defaultValue={request.username} />}
      </Field>
      <SubmitButton primary label={t('password_request.submit')} busyLabel={t('password_request.sending')} />
    </Form>
  );
}

function toMissingName({ by_email: byEmail }: PasswordRequestFormState) {
  return byEmail ? 'password_request.no_name_next' : 'password_request.no_username_next';
}

function RequestAlert({ request }: { request: PasswordRequestFormState }) {
  const { t } = useTranslation();
  const { error, retry_after: seconds } = request;
  switch (error) {
    case null:
      return null;
    case 'empty-username':
      return (
        <ErrorAlert code={error} message={request.by_email ? 'password_request.no_name' : 'password_request.no_username'}>
          <p>{t(toMissingName(request))}</p>
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
