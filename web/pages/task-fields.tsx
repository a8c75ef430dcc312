/** The task of filling in what the account lacks. The form works without script. */
import { useTranslation } from 'react-i18next';
import { PATHS } from '../../src/contract/paths.js';
import { toDetailField } from '../../src/contract/registration-state.js';
import type { FieldsTaskState } from '../../src/contract/task-state.js';
import type { Phrase } from '../i18n/phrase.js';
import { ErrorAlert } from '../ui/alert.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { StaleAlert } from '../ui/stale-alert.js';
import { RegistrationField } from '../ui/account/registration-field.js';
import { Owner, toHiddenFields } from './task-frame.js';

export function FieldsTask({ task, title }: { task: FieldsTaskState; title: Phrase }) {
  const { t } = useTranslation();
  const { error, fields } = task;
  const focusField = fields.find(({ error: fault }) => fault !== undefined) ?? (error === null ? fields[0] : undefined);
  return (
    <Form className="flow" action={PATHS.loginTask} hidden={toHiddenFields(task)}>
      <Heading heading={title} client={task.client}>
        <p>{t('task.fields_text')}</p>
      </Heading>
      <Owner task={task} />
      {error === 'stale' && <StaleAlert />}
      {error === 'fields' && (
        <ErrorAlert code={error} message="sign_up.fields_wrong" aboutField>
          <p>{t('sign_up.fields_wrong_next')}</p>
        </ErrorAlert>
      )}
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
      <SubmitButton primary label={t('task.submit')} busyLabel={t('task.submitting')} />
    </Form>
  );
}
