/** The fields that some actions need beside the reason. */
import { useTranslation } from 'react-i18next';
import type { AccountDetail } from '../api/calls.js';
import { ExactInput } from '../ui/exact-input.js';
import { Field } from '../ui/field.js';
import { UserText } from '../ui/user-text.js';
import type { AccountForm } from './account-changes.js';

interface OneFieldProps {
  isWrong: boolean;
  onChange(text: string): void;
}

export function DaysField({ days, isWrong, onChange }: OneFieldProps & { days: string }) {
  const { t } = useTranslation();
  return (
    <Field
      label={t('dialog.days')}
      hint={t('dialog.days_hint')}
      error={isWrong ? t('dialog.days_wrong') : undefined}
      className="short"
    >
      {(given) => (
        <input {...given} inputMode="numeric" value={days} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
      )}
    </Field>
  );
}

export function TypedNameField({ username, typed, isWrong, onChange }: OneFieldProps & { username: string; typed: string }) {
  const { t } = useTranslation();
  return (
    <Field
      label={t('dialog.typed_name')}
      hint={<UserText text={username} />}
      error={isWrong ? t('dialog.typed_name_wrong') : undefined}
    >
      {(given) => <ExactInput {...given} value={typed} onChange={onChange} />}
    </Field>
  );
}

interface ChangeFieldsProps {
  account: AccountDetail;
  form: AccountForm;
  isWrong: boolean;
  onChange(form: AccountForm): void;
}

export function ChangeFields({ account, form, isWrong, onChange }: ChangeFieldsProps) {
  const { t } = useTranslation();
  const set = (given: Partial<AccountForm>): void => onChange({ ...form, ...given });
  return (
    <>
      {account.source !== null && <p className="hint">{t('change.source_hint')}</p>}
      <Field label={t('change.display_name')} error={isWrong ? t('change.nothing') : undefined}>
        {(given) => <TextInput given={given} value={form.displayName} onChange={(displayName) => set({ displayName })} />}
      </Field>
      <AddressFields account={account} form={form} set={set} />
      <Field label={t('change.language')} hint={t('change.language_hint')}>
        {(given) => <TextInput given={given} value={form.language} onChange={(language) => set({ language })} />}
      </Field>
      <Field label={t('change.group')}>
        {(given) => <TextInput given={given} value={form.group} onChange={(group) => set({ group })} />}
      </Field>
      <Field label={t('change.further_groups')} hint={t('change.further_groups_hint')}>
        {(given) => (
          <textarea
            {...given}
            rows={Math.min(6, form.furtherGroups.split('\n').length + 1)}
            value={form.furtherGroups}
            onChange={({ currentTarget }) => set({ furtherGroups: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t('change.second_factor')}>
        {(given) => (
          <select
            {...given}
            value={form.secondFactor}
            onChange={({ currentTarget: { value } }) =>
              set({ secondFactor: value === 'optional' || value === 'required' ? value : 'default' })
            }
          >
            <option value="default">{t('change.second_factor_default')}</option>
            <option value="optional">{t('change.second_factor_optional')}</option>
            <option value="required">{t('change.second_factor_required')}</option>
          </select>
        )}
      </Field>
    </>
  );
}

function AddressFields({
  account,
  form,
  set,
}: {
  account: AccountDetail;
  form: AccountForm;
  set(given: Partial<AccountForm>): void;
}) {
  const { t } = useTranslation();
  const hasHint = account.email !== null && form.email.trim() !== account.email;
  return (
    <div className="stack tight">
      <Field label={t('change.email')} hint={hasHint ? t('change.email_hint') : undefined}>
        {(given) => (
          <input
            {...given}
            type="email"
            autoComplete="off"
            value={form.email}
            onChange={({ currentTarget }) => set({ email: currentTarget.value })}
          />
        )}
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={form.isEmailVerified}
          onChange={({ currentTarget }) => set({ isEmailVerified: currentTarget.checked })}
        />
        {t('change.email_verified')}
      </label>
    </div>
  );
}

interface TextInputProps {
  given: object;
  value: string;
  onChange(text: string): void;
}

function TextInput({ given, value, onChange }: TextInputProps) {
  return <input {...given} autoComplete="off" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
}
