/** The fields of an app's registration. */
import { useTranslation } from 'react-i18next';
import { Field } from '../ui/field.js';
import { FLAGS, LISTS, TEXTS, type AppField, type AppForm } from './app-form.js';

interface AppFieldsProps {
  form: AppForm;
  onChange(form: AppForm): void;
  /** What is wrong with the name, or with the whole form. */
  fault?: string | undefined;
  /** Whether a field is shown; by default, every field is. */
  isShown?: (field: AppField) => boolean;
}

/** The name and the lists come first, because they change most often. */
export function AppFields({ form, onChange, fault, isShown = () => true }: AppFieldsProps) {
  const { t } = useTranslation();
  const set = (changes: Partial<AppForm>): void => onChange({ ...form, ...changes });
  const [name, ...texts] = TEXTS;
  const flags = FLAGS.filter(isShown);
  return (
    <>
      {isShown(name) && <TextField name={name} form={form} set={set} fault={fault} />}
      {LISTS.filter(isShown).map((list) => (
        <Field key={list} name={list} label={t(`apps.field_${list}`)} hint={t('apps.one_a_line')}>
          {(wiring) => (
            <textarea
              {...wiring}
              spellCheck={false}
              rows={Math.min(6, form[list].split('\n').length + 1)}
              value={form[list]}
              onChange={({ currentTarget }) => set({ [list]: currentTarget.value })}
            />
          )}
        </Field>
      ))}
      {texts.filter(isShown).map((text) => (
        <TextField key={text} name={text} form={form} set={set} />
      ))}
      {flags.length > 0 && (
        <fieldset className="options">
          <legend>{t('apps.rules')}</legend>
          {flags.map((flag) => (
            <label key={flag} className="option">
              <input
                type="checkbox"
                name={flag}
                checked={form[flag]}
                onChange={({ currentTarget }) => set({ [flag]: currentTarget.checked })}
              />
              <span>{t(`apps.field_${flag}`)}</span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

interface TextFieldProps {
  name: (typeof TEXTS)[number];
  form: AppForm;
  fault?: string | undefined;
  set(changes: Partial<AppForm>): void;
}

function TextField({ name, form, fault, set }: TextFieldProps) {
  const { t } = useTranslation();
  return (
    <Field name={name} label={t(`apps.field_${name}`)} error={fault}>
      {(wiring) => (
        <input
          {...wiring}
          autoComplete="off"
          spellCheck={false}
          value={form[name]}
          onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
        />
      )}
    </Field>
  );
}
