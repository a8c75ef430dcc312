/** The dialog that creates an account. The account has no password yet: its owner sets one with a link. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, toReasonHeader, unwrap } from '../api/calls.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { UserText } from '../ui/user-text.js';
import { TextFields, type TextField } from './text-fields.js';

type Member = 'username' | 'display_name' | 'email';

const FIELDS: readonly TextField<Member>[] = [
  { member: 'username', option: 'username', label: 'facts.username', hint: 'create.username_hint', isRequired: true },
  { member: 'display_name', option: 'name', label: 'change.display_name', hint: 'create.name_hint' },
  { member: 'email', option: 'email', label: 'change.email', hint: 'create.email_hint' },
];

export function CreatePersonDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const create = useCreate();
  const [form, setForm] = useState<Record<Member, string>>({ username: '', display_name: '', email: '' });
  const [isTried, setIsTried] = useState(false);
  const isUsernameMissing = form.username.trim() === '';
  const filledFields = FIELDS.map((field) => ({ ...field, value: form[field.member].trim() })).filter(
    ({ value }) => value !== '',
  );
  const run = async (reason: string): Promise<void> => {
    await create(
      { username: form.username.trim(), ...Object.fromEntries(filledFields.map(({ member, value }) => [member, value])) },
      reason,
    );
    onClose();
  };
  return (
    <ReasonDialog
      title={t('create.title')}
      effects={[t('create.effect')]}
      command={{ words: ['account', 'create'], options: filledFields.map(({ option, value }) => [option, value]) }}
      confirm={t('create.confirm')}
      hasFault={() => {
        setIsTried(true);
        return isUsernameMissing;
      }}
      run={run}
      onClose={onClose}
    >
      <TextFields
        fields={FIELDS}
        form={form}
        errors={isTried && isUsernameMissing ? { username: t('create.username_missing') } : {}}
        onChange={setForm}
      />
    </ReasonDialog>
  );
}

/** @returns a function that creates an account and opens its page */
function useCreate() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const notices = useNotices();
  return async (body: { username: string }, reason: string): Promise<void> => {
    const { id, display_name: name } = await unwrap(api.POST('/operator/v1/accounts', { body, headers: toReasonHeader(reason) }));
    void cache.invalidateQueries({ queryKey: ['accounts'] });
    const values = {
      name: (
        <b>
          <UserText text={name} />
        </b>
      ),
    };
    notices.show(<Phrase phrase="create.done" values={values} />, { tone: 'success', path: `/people/${id}` });
    await navigate({ to: '/people/$id', params: { id } });
  };
}
