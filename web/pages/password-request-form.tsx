/** The form that requests a link for a password reset (PWR-1). */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../i18n/phrase.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { UsernameFields } from '../ui/username-fields.js';

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
        backLink={signIn === undefined ? undefined : { href: signIn, label: 'password_request.back' }}
      >
        <p>{t(request.by_email ? 'password_request.text_by_email' : 'password_request.text')}</p>
      </Heading>
      <UsernameFields form={request} hint={t('password_request.hint')} />
      <SubmitButton primary label={t('password_request.submit')} busyLabel={t('password_request.sending')} />
    </Form>
  );
}
