/** The form that renames a factor of a kind that can have several. It works without script. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { Disclosure } from '../ui/account/disclosure.js';
import { Form, SubmitButton } from '../ui/form.js';

const MAX_NAME_LENGTH = 60;

interface Props {
  id: string;
  action: string;
  /** The displayed name. `alias` is the name that the person has chosen, or empty. */
  name: string;
  alias: string;
  hidden: Readonly<Record<string, string>>;
}

export function NameForm({ id, action, name, alias, hidden }: Props) {
  const { t } = useTranslation();
  // Several rows have this field, so the name of the field alone would not be a unique id.
  const fieldId = `${FIELDS.keyName}-${id}`;
  return (
    <Disclosure className="btn compact" summary={t('manage_mfa.rename')} name={t('manage_mfa.rename_key', { name })}>
      <Form className="stack" action={action} hidden={hidden}>
        <div className="field">
          <label htmlFor={fieldId}>{t('manage_mfa.key_name')}</label>
          <input
            id={fieldId}
            name={FIELDS.keyName}
            type="text"
            autoComplete="off"
            maxLength={MAX_NAME_LENGTH}
            defaultValue={alias}
          />
        </div>
        <div className="actions">
          <SubmitButton primary label={t('settings.save')} busyLabel={t('settings.saving')} />
        </div>
      </Form>
    </Disclosure>
  );
}
