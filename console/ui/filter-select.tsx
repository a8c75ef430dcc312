/** A list of choices that filters a table. The first choice filters nothing. */
import { useTranslation } from 'react-i18next';
import { Field } from './field.js';

interface FilterSelectProps {
  label: string;
  /** Undefined without a filter. */
  value: string | undefined;
  /** Pairs of value and text. */
  choices: readonly (readonly [string, string])[];
  /** @param value empty to filter nothing */
  onChoose(value: string): void;
}

export function FilterSelect({ label, value = '', choices, onChoose }: FilterSelectProps) {
  const { t } = useTranslation();
  return (
    <Field label={label}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
          <option value="">{t('filter.any')}</option>
          {choices.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
