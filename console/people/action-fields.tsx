/** The fields that some actions need besides the reason. */
import { useTranslation } from 'react-i18next';
import { useQuery } from '@tanstack/react-query';
import type { AccountDetail } from '../api/calls.js';
import { sourcesQuery } from '../api/queries.js';
import { ExactInput } from '../ui/exact-input.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Field } from '../ui/field.js';
import { UserText } from '../ui/user-text.js';
import { toVisibleText } from '../ui/visible-text.js';
import type { AccountForm } from './account-changes.js';
import type { LinkForm } from './actions.js';

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
      {(wiring) => (
        <input {...wiring} inputMode="numeric" value={days} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
      )}
    </Field>
  );
}

export function TypedNameField({
  username,
  typedName,
  isWrong,
  onChange,
}: OneFieldProps & { username: string; typedName: string }) {
  const { t } = useTranslation();
  return (
    <Field
      label={t('dialog.typed_name')}
      hint={<UserText text={username} />}
      error={isWrong ? t('dialog.typed_name_wrong') : undefined}
    >
      {(wiring) => <ExactInput {...wiring} value={typedName} onChange={onChange} />}
    </Field>
  );
}

interface LinkFieldsProps {
  link: LinkForm;
  isWrong: boolean;
  onChange(link: LinkForm): void;
}

export function LinkFields({ link, isWrong, onChange }: LinkFieldsProps) {
  const { t } = useTranslation();
  const { data, error } = useQuery(sourcesQuery);
  // A SCIM source itself takes over the accounts that are offered to it (`scim-refused.tsx`).
  const sources = (data?.sources ?? []).filter(({ type }) => type !== 'scim');
  const choose = (id: string): void => {
    const isProvider = sources.find((one) => one.id === id)?.type === 'provider';
    onChange({ ...link, source: id, isProvider });
  };
  return (
    <>
      {error !== null && <FaultAlert error={error} />}
      <Field
        label={t('link.source')}
        hint={data && sources.length === 0 ? t('link.none') : undefined}
        error={isWrong && link.source === '' ? t('link.source_missing') : undefined}
      >
        {(wiring) => (
          <select {...wiring} name="source" value={link.source} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            <option value="">{t(data ? 'link.choose' : 'link.loading')}</option>
            {sources.map(({ id, name }) => (
              <option key={id} value={id}>
                {toVisibleText(name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label={t(link.isProvider ? 'link.subject' : 'link.username')}
        hint={t(link.isProvider ? 'link.subject_hint' : 'link.username_hint')}
        error={isWrong && link.person.trim() === '' ? t('link.person_missing') : undefined}
      >
        {(wiring) => (
          <ExactInput {...wiring} name="person" value={link.person} onChange={(person) => onChange({ ...link, person })} />
        )}
      </Field>
    </>
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
  const set = (changes: Partial<AccountForm>): void => onChange({ ...form, ...changes });
  return (
    <>
      {account.source !== null && <p className="hint">{t('change.source_hint')}</p>}
      <Field name="display_name" label={t('change.display_name')} error={isWrong ? t('change.nothing') : undefined}>
        {(wiring) => <TextInput wiring={wiring} value={form.displayName} onChange={(displayName) => set({ displayName })} />}
      </Field>
      <AddressFields account={account} form={form} set={set} />
      <Field name="language" label={t('change.language')} hint={t('change.language_hint')}>
        {(wiring) => <TextInput wiring={wiring} value={form.language} onChange={(language) => set({ language })} />}
      </Field>
      <Field name="group_name" label={t('change.group')}>
        {(wiring) => <TextInput wiring={wiring} value={form.group} onChange={(group) => set({ group })} />}
      </Field>
      <Field name="groups" label={t('change.further_groups')} hint={t('change.further_groups_hint')}>
        {(wiring) => (
          <textarea
            {...wiring}
            rows={Math.min(6, form.furtherGroups.split('\n').length + 1)}
            value={form.furtherGroups}
            onChange={({ currentTarget }) => set({ furtherGroups: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t('change.second_factor')}>
        {(wiring) => (
          <select
            {...wiring}
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
  set(changes: Partial<AccountForm>): void;
}) {
  const { t } = useTranslation();
  const hasHint = account.email !== null && form.email.trim() !== account.email;
  return (
    <div className="stack tight">
      <Field name="email" label={t('change.email')} hint={hasHint ? t('change.email_hint') : undefined}>
        {(wiring) => (
          <input
            {...wiring}
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
  wiring: object;
  value: string;
  onChange(text: string): void;
}

function TextInput({ wiring, value, onChange }: TextInputProps) {
  return <input {...wiring} autoComplete="off" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
}
