/** The form behind the link of an invitation. It asks for the details and the password of the new account, and works without script. */
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { INVITATION_PATH, toDetailField, type InvitationState } from '../../src/contract/registration-state.js';
import { Isolated } from '../i18n/isolated.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { phrase } from '../i18n/phrase.js';
import { AccountName } from '../ui/account-name.js';
import { Moment } from '../ui/account/moment.js';
import { NewPasswordFields } from '../ui/account/new-password-fields.js';
import { RegistrationField } from '../ui/account/registration-field.js';
import { ErrorAlert } from '../ui/alert.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { LimitedAlert, PASSWORD_WORDS, STEP_HEADINGS, type PasswordError } from './registration-steps.js';

export function InvitationForm({ state: { app }, form }: { state: PageOf<'registration'>; form: InvitationState }) {
  const { t } = useTranslation();
  const { error, fields, inviter, client, email } = form;
  const id = useId();
  const focusField = fields.find(({ error: fault }) => fault !== undefined) ?? (error === null ? fields[0] : undefined);
  return (
    <Form
      id={id}
      className="flow"
      action={INVITATION_PATH}
      hidden={{ [FIELDS.linkToken]: form.token, [FIELDS.xsrf]: form.xsrf_token }}
    >
      <Heading heading={phrase(STEP_HEADINGS.details)} client={client}>
        <p>
          <InvitationText inviter={inviter} destination={client?.name ?? app.name} />
        </p>
        <p>
          <MarkedPhrase
            i18nKey="invitation.until"
            components={{ email: <Isolated text={email} />, time: <Moment iso={form.expires_at} /> }}
          />
        </p>
      </Heading>
      {!fields.some(({ name }) => name === 'username') && <AccountName username={email} />}
      {error === 'fields' && (
        <ErrorAlert code={error} message="sign_up.fields_wrong" aboutField>
          <p>{t('sign_up.fields_wrong_next')}</p>
        </ErrorAlert>
      )}
      {error === 'limited' && <LimitedAlert seconds={form.retry_after} />}
      <div className="stack">
        {fields.map((field) => (
          <RegistrationField
            key={field.name}
            field={field}
            inputName={toDetailField(field.name)}
            autoFocus={field === focusField}
          />
        ))}
      </div>
      <NewPasswordFields
        formId={id}
        form={{ ...form, error: toPasswordError(error) }}
        words={PASSWORD_WORDS}
        autoFocus={focusField === undefined && !error}
      />
      <SubmitButton primary label={t('sign_up.create')} busyLabel={t('sign_up.creating')} />
    </Form>
  );
}

function InvitationText({ inviter, destination }: { inviter: string | undefined; destination: string }) {
  const { t } = useTranslation();
  return inviter === undefined
    ? t('invitation.text', { to: destination })
    : t('invitation.text_by', { to: destination, inviter });
}

function toPasswordError(error: InvitationState['error']): PasswordError | null {
  return error === 'fields' || error === 'limited' ? null : error;
}
