/** The dialogs that try mails again: one mail, or all mails with one cause. */
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, toReasonHeader, unwrap, type Mail, type MailCause } from '../api/calls.js';
import { mailKey } from '../api/queries.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { UserText } from '../ui/user-text.js';
import { MAIL_CAUSES, MOST_COUNTED } from './mail-filters.js';

export function RetryDialog({ mail, onClose }: { mail: Mail; onClose(): void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const notices = useNotices();
  const values = {
    recipient: (
      <b>
        <UserText text={mail.recipient} />
      </b>
    ),
  };
  const run = async (reason: string): Promise<void> => {
    const params = { path: { mail: mail.id } };
    const headers = toReasonHeader(reason);
    const refresh = (): void => void client.invalidateQueries({ queryKey: mailKey });
    // After a failure too: the mail may have been sent or deleted meanwhile.
    const { retried } = await unwrap(api.POST('/operator/v1/mails/{mail}/retry', { params, headers })).finally(refresh);
    notices.show(<Phrase phrase={retried ? 'mails.retry_done' : 'mails.retry_due'} values={values} />);
    onClose();
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="mails.retry_title" values={values} />}
      effects={[
        <Phrase key="1" phrase="mails.retry_effect" values={values} />,
        <Phrase key="2" phrase="mails.retry_tries_effect" values={{}} />,
      ]}
      command={{ words: ['mail', 'retry', mail.id] }}
      confirm={t('mails.retry')}
      run={run}
      onClose={onClose}
    />
  );
}

export function RetryAllDialog({ cause: { cause, retryable }, onClose }: { cause: MailCause; onClose(): void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const notices = useNotices();
  const run = async (reason: string): Promise<void> => {
    let count = 0;
    for (let hasMore = true; hasMore;) {
      const answer = await unwrap(api.POST('/operator/v1/mails/retry', { body: { cause }, headers: toReasonHeader(reason) }));
      count += answer.retried;
      hasMore = answer.more;
    }
    notices.show(t('mails.retry_all_done', { count }));
    void client.invalidateQueries({ queryKey: mailKey });
    onClose();
  };
  const effect = retryable > MOST_COUNTED ? t('mails.retry_all_effect_more') : t('mails.retry_all_effect', { count: retryable });
  return (
    <ReasonDialog
      title={<Phrase phrase="mails.retry_all_title" values={{ cause: t(MAIL_CAUSES[cause]) }} />}
      effects={[effect, t('mails.retry_all_expired_effect')]}
      command={{ words: ['mail', 'retry-all', cause] }}
      confirm={t('mails.retry_all')}
      run={run}
      onClose={onClose}
    />
  );
}
