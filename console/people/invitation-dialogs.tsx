/** The dialogs that invite one person or the people of a file, and that resend and withdraw an invitation. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, toReasonHeader, unwrap, type Invitation, type InvitationRow, type NewInvitation } from '../api/calls.js';
import { invitationKey } from '../api/queries.js';
import { Field } from '../ui/field.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { UserText } from '../ui/user-text.js';
import { readInvitedRows, sendInvitedRows, type InvitedFile } from './invited-rows.js';
import { TextFields, type TextField } from './text-fields.js';

type Member = 'email' | 'display_name' | 'client' | 'groups' | 'inviter' | 'language' | 'days';

const FIELDS: readonly TextField<Member>[] = [
  { member: 'email', option: '', label: 'change.email', isRequired: true },
  { member: 'display_name', option: 'name', label: 'change.display_name', hint: 'invitations.name_hint' },
  { member: 'client', option: 'client', label: 'invitations.app', hint: 'invitations.app_hint' },
  { member: 'groups', option: 'further-group', label: 'invitations.groups', hint: 'invitations.groups_hint' },
  { member: 'inviter', option: 'inviter', label: 'invitations.inviter', hint: 'invitations.inviter_hint' },
  { member: 'language', option: 'language', label: 'invitations.language', hint: 'invitations.language_hint' },
  { member: 'days', option: 'days', label: 'invitations.days', isRequired: true },
];

const EMPTY_FORM: Form = {
  ...{ email: '', display_name: '', client: '', groups: '', inviter: '', language: '', days: '7' },
};

const toGroups = (text: string): string[] => text.split(',').flatMap((one) => one.trim() || []);

export function InviteDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const finish = useFinish(onClose);
  const [form, setForm] = useState(EMPTY_FORM);
  const [isTried, setIsTried] = useState(false);
  const email = form.email.trim();
  const isDaysFault = !/^(?:[1-9]|[12]\d|30)$/.test(form.days.trim());
  const errors: Partial<Form> = isTried
    ? {
        ...(email === '' ? { email: t('invitations.email_missing') } : {}),
        ...(isDaysFault ? { days: t('invitations.days_fault') } : {}),
      }
    : {};
  const run = async (reason: string): Promise<void> => {
    await unwrap(api.POST('/operator/v1/invitations', { body: toBody(form), headers: toReasonHeader(reason) }));
    finish('invitations.done', email);
  };
  return (
    <ReasonDialog
      title={t('invitations.invite')}
      effects={[t('invitations.effect')]}
      command={{ words: ['invitation', 'create', email], options: toOptions(form) }}
      confirm={t('invitations.confirm')}
      hasFault={() => {
        setIsTried(true);
        return email === '' || isDaysFault;
      }}
      run={run}
      onClose={onClose}
    >
      <TextFields fields={FIELDS} form={form} errors={errors} onChange={setForm} />
    </ReasonDialog>
  );
}

type Form = Record<Member, string>;

function toBody(form: Form): NewInvitation {
  const texts = (['display_name', 'client', 'inviter', 'language'] as const).flatMap((member) => {
    const value = form[member].trim();
    return value === '' ? [] : [[member, value] as const];
  });
  const groups = toGroups(form.groups);
  return {
    email: form.email.trim(),
    days: Number(form.days),
    ...(Object.fromEntries(texts) as Partial<NewInvitation>),
    ...(groups.length === 0 ? {} : { groups }),
  };
}

function toOptions(form: Form): [string, string][] {
  return FIELDS.flatMap(({ member, option }): [string, string][] => {
    const value = form[member].trim();
    if (option === '' || value === '') return [];
    return member === 'groups' ? toGroups(value).map((group) => [option, group]) : [[option, value]];
  });
}

interface SelectedFile {
  name: string;
  /** Null for a file that `readInvitedRows` does not accept. */
  content: InvitedFile | null;
}

/** Invites the people of a file. If lines were refused, the dialog stays open and lists them. */
export function InviteFileDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const [file, setFile] = useState<SelectedFile | null>(null);
  const [isTried, setIsTried] = useState(false);
  const [refusedRows, setRefusedRows] = useState<InvitationRow[] | null>(null);
  const inviteRows = useInviteRows();
  const content = file?.content ?? null;
  const run = async (reason: string): Promise<void> => {
    if (content === null) return;
    const invalidRows = await inviteRows(content, reason);
    if (invalidRows.length === 0) onClose();
    else setRefusedRows(invalidRows);
  };
  return (
    <ReasonDialog
      title={t('invitations.file')}
      effects={content === null || refusedRows !== null ? [] : [t('invitations.file_effect', { count: content.rows.length })]}
      command={{ words: ['invitation', 'import', file?.name ?? 'people.jsonl'] }}
      confirm={refusedRows === null ? t('invitations.confirm') : null}
      isReasonGiven={refusedRows !== null}
      hasFault={() => {
        setIsTried(true);
        return content === null;
      }}
      run={run}
      onClose={onClose}
    >
      {refusedRows === null ? (
        <FileField hasFault={(file !== null || isTried) && content === null} onSelect={setFile} />
      ) : (
        <RefusedRows rows={refusedRows} />
      )}
    </ReasonDialog>
  );
}

/** @returns a function that invites the people of a file, and returns the rows that were refused, with the numbers of their lines */
function useInviteRows() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const notices = useNotices();
  return async (file: InvitedFile, reason: string): Promise<InvitationRow[]> => {
    const headers = toReasonHeader(reason);
    const answers = await sendInvitedRows(file, async (invitations) => {
      const { results } = await unwrap(api.POST('/operator/v1/invitations/many', { body: { invitations }, headers }));
      return results;
    }).finally(() => void client.invalidateQueries({ queryKey: invitationKey }));
    const invalidRows = answers.filter(({ result }) => result === 'invalid');
    notices.show(t('invitations.file_done', { count: answers.length - invalidRows.length }));
    return invalidRows;
  };
}

function FileField({ hasFault, onSelect }: { hasFault: boolean; onSelect(file: SelectedFile): void }) {
  const { t } = useTranslation();
  const read = async (file: File): Promise<void> => {
    // A file that was moved or changed after it was selected cannot be read.
    const rows = readInvitedRows(await file.text().catch(() => ''));
    onSelect({ name: file.name, content: rows && { rows, answers: [] } });
  };
  return (
    <Field
      label={t('invitations.file_label')}
      hint={t('invitations.file_hint')}
      error={hasFault ? t('invitations.file_fault') : undefined}
    >
      {(wiring) => (
        <input
          {...wiring}
          type="file"
          name="file"
          accept=".txt,.csv,.jsonl,.ndjson,text/plain"
          onChange={({ currentTarget: { files } }) => {
            if (files?.[0]) void read(files[0]);
          }}
        />
      )}
    </Field>
  );
}

function RefusedRows({ rows }: { rows: readonly InvitationRow[] }) {
  const { t } = useTranslation();
  return (
    <div role="status">
      <p>{t('invitations.refused', { count: rows.length })}</p>
      <ul className="items">
        {rows.map(({ row, email = '', message = '' }) => (
          <li key={row}>
            <div className="item-text">
              {row}: <UserText text={email} />
              <p className="muted" lang="en">
                <UserText text={message} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface InvitationDialogProps {
  invitation: Invitation;
  onClose(): void;
}

export function ResendDialog({ invitation: { id: invitation, email }, onClose }: InvitationDialogProps) {
  const { t } = useTranslation();
  const finish = useFinish(onClose);
  const run = async (reason: string): Promise<void> => {
    const options = { params: { path: { invitation } }, headers: toReasonHeader(reason) };
    await unwrap(api.POST('/operator/v1/invitations/{invitation}/resend', options));
    finish('invitations.done', email);
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="invitations.resend_title" values={toValues(email)} />}
      effects={[t('invitations.resend_effect')]}
      command={{ words: ['invitation', 'resend', invitation] }}
      confirm={t('invitations.resend')}
      run={run}
      onClose={onClose}
    />
  );
}

export function WithdrawDialog({ invitation: { id: invitation, email }, onClose }: InvitationDialogProps) {
  const { t } = useTranslation();
  const finish = useFinish(onClose);
  const run = async (reason: string): Promise<void> => {
    const options = { params: { path: { invitation } }, headers: toReasonHeader(reason) };
    await unwrap(api.POST('/operator/v1/invitations/{invitation}/withdraw', options));
    finish('invitations.withdrawn', email);
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="invitations.withdraw_title" values={toValues(email)} />}
      effects={[t('invitations.withdraw_effect')]}
      command={{ words: ['invitation', 'withdraw', invitation] }}
      confirm={t('invitations.withdraw')}
      isDanger
      run={run}
      onClose={onClose}
    />
  );
}

function toValues(email: string) {
  return {
    email: (
      <b>
        <UserText text={email} />
      </b>
    ),
  };
}

/** @returns a function that reports the change, reloads the list and closes the dialog */
function useFinish(onClose: () => void) {
  const client = useQueryClient();
  const notices = useNotices();
  return (phrase: 'invitations.done' | 'invitations.withdrawn', email: string): void => {
    notices.show(<Phrase phrase={phrase} values={toValues(email)} />);
    void client.invalidateQueries({ queryKey: invitationKey });
    onClose();
  };
}
