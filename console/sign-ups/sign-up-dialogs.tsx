/** The dialogs that approve and refuse a person who signed up. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, toReasonHeader, unwrap, type SignUp } from '../api/calls.js';
import { signUpsKey, todayQuery } from '../api/queries.js';
import { ExactInput } from '../ui/exact-input.js';
import { Field } from '../ui/field.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { UserText } from '../ui/user-text.js';

interface SignUpDialogProps {
  signUp: SignUp;
  onClose(): void;
}

const MAX_MESSAGE = 500;

export function ApproveDialog({ signUp, onClose }: SignUpDialogProps) {
  const { t } = useTranslation();
  const notices = useNotices();
  const refresh = useRefresh();
  const [username, setUsername] = useState(signUp.username ?? '');
  const name = username.trim();
  const isOther = name !== '' && name !== signUp.username;
  const run = async (reason: string): Promise<void> => {
    const params = { path: { application: signUp.id } };
    const body = isOther ? { username: name } : {};
    const call = api.POST('/operator/v1/sign-ups/{application}/approve', { params, body, headers: toReasonHeader(reason) });
    const { username: newName } = await unwrap(call).finally(refresh);
    notices.show(<Phrase phrase="sign_ups.approved" values={{ name: <UserText text={newName} /> }} />);
    onClose();
  };
  return (
    <ReasonDialog
      title={t('sign_ups.approve_title')}
      subject={<UserText text={signUp.email} />}
      effects={[t('sign_ups.approve_effect'), t('sign_ups.mail_effect')]}
      command={{ words: ['sign-up', 'approve', signUp.id], options: isOther ? [['username', name]] : [] }}
      confirm={t('sign_ups.approve')}
      isAskedFor={false}
      run={run}
      onClose={onClose}
    >
      <Field name="username" label={t('facts.username')} hint={t('sign_ups.username_hint')}>
        {(wiring) => <ExactInput {...wiring} type="text" value={username} onChange={setUsername} />}
      </Field>
    </ReasonDialog>
  );
}

export function RefuseDialog({ signUp: { id, email }, onClose }: SignUpDialogProps) {
  const { t } = useTranslation();
  const notices = useNotices();
  const refresh = useRefresh();
  const [message, setMessage] = useState('');
  const trimmedMessage = message.trim();
  const run = async (reason: string): Promise<void> => {
    const params = { path: { application: id } };
    const body = trimmedMessage === '' ? {} : { message: trimmedMessage };
    const call = api.POST('/operator/v1/sign-ups/{application}/refuse', { params, body, headers: toReasonHeader(reason) });
    await unwrap(call).finally(refresh);
    notices.show(t('sign_ups.refused'));
    onClose();
  };
  return (
    <ReasonDialog
      title={t('sign_ups.refuse_title')}
      subject={<UserText text={email} />}
      effects={[t('sign_ups.refuse_effect'), t('sign_ups.mail_effect')]}
      command={{ words: ['sign-up', 'refuse', id], options: trimmedMessage === '' ? [] : [['message', trimmedMessage]] }}
      confirm={t('sign_ups.refuse')}
      isAskedFor={false}
      isDanger
      run={run}
      onClose={onClose}
    >
      <Field label={t('sign_ups.message')} hint={t('sign_ups.message_hint')}>
        {(wiring) => (
          <input
            {...wiring}
            name="message"
            type="text"
            maxLength={MAX_MESSAGE}
            value={message}
            onChange={({ currentTarget }) => setMessage(currentTarget.value)}
          />
        )}
      </Field>
    </ReasonDialog>
  );
}

/** After a failure too: somebody else may have decided meanwhile. */
function useRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: signUpsKey });
    void client.invalidateQueries({ queryKey: todayQuery.queryKey });
    void client.invalidateQueries({ queryKey: ['accounts'] });
  };
}
