/** The text fields of a dialog that creates something. A field that may stay empty says so. */
import { useTranslation } from 'react-i18next';
import type { PhraseKey } from '../i18n/i18n.js';
import { ExactInput } from '../ui/exact-input.js';
import { Field } from '../ui/field.js';

export interface TextField<Member extends string> {
  member: Member;
  /** Name of the option on the command line; empty for an operand. */
  option: string;
  label: PhraseKey;
  hint?: PhraseKey;
  isRequired?: true;
}

interface TextFieldsProps<Member extends string> {
  fields: readonly TextField<Member>[];
  form: Readonly<Record<Member, string>>;
  errors: Readonly<Partial<Record<Member, string>>>;
  onChange(form: Record<Member, string>): void;
}

export function TextFields<Member extends string>({ fields, form, errors, onChange }: TextFieldsProps<Member>) {
  const { t } = useTranslation();
  return fields.map(({ member, label, hint, isRequired }) => (
    <Field
      key={member}
      name={member}
      label={
        <>
          {t(label)} {!isRequired && <span className="optional">{t('operators.optional')}</span>}
        </>
      }
      hint={hint && t(hint)}
      error={errors[member]}
    >
      {(wiring) => (
        <ExactInput
          {...wiring}
          type={member === 'email' ? 'email' : 'text'}
          value={form[member]}
          onChange={(value) => onChange({ ...form, [member]: value })}
        />
      )}
    </Field>
  ));
}
