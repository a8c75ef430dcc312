/** Giving a security key a name by which it is known again; opens without script too. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import { Form, SubmitButton } from '../ui/form.js';

const LONGEST_NAME = 60;

interface Props {
  id: string;
  /** As the row shows it; `given` is what the person chose, perhaps nothing. */
  name: string;
  given: string;
  hidden: Readonly<Record<string, string>>;
}

export function KeyName({ id, name, given, hidden }: Props) {
  const { t } = useTranslation();
  // Several rows have this field: its name alone would not tell the labels apart.
  const field = `${FIELDS.keyName}-${id}`;
  return (
    <details className="opens">
      <summary className="beside" aria-label={t('manage_mfa.rename_key', { name })}>
        {t('manage_mfa.rename')}
      </summary>
      <Form className="stack" action={PATHS.manageRenameFido2} hidden={hidden}>
        <div className="field">
          <label htmlFor={field}>{t('manage_mfa.key_name')}</label>
          <input id={field} name={FIELDS.keyName} type="text" autoComplete="off" maxLength={LONGEST_NAME} defaultValue={given} />
        </div>
        <div className="actions">
          <SubmitButton primary label={t('area.save')} busyLabel={t('area.saving')} />
        </div>
      </Form>
    </details>
  );
}
