/**
 * The check of who is calling (SUPPORT_CHECK): the operator types the three words that the person reads from their own page. The
 * server does not send the words to the console.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, toReasonHeader, unwrap, type AccountDetail } from '../api/calls.js';
import { accountKey, supportCheckQuery } from '../api/queries.js';
import { useAllowed, useSession } from '../session/session-context.js';
import { ExactInput } from '../ui/exact-input.js';
import { Field } from '../ui/field.js';
import { CheckIcon, DangerIcon } from '../ui/icons.js';
import { Moment } from '../ui/moment.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { UserText } from '../ui/user-text.js';
import { toUserOperand } from './actions.js';

const Name = ({ account }: { account: AccountDetail }) => (
  <b>
    <UserText text={account.display_name} />
  </b>
);

/** Whether the check has passed, in the dialog of an action that needs it. */
export function CheckState({ account, onBegin }: { account: AccountDetail; onBegin(): void }) {
  const { t } = useTranslation();
  const { data: check } = useQuery(supportCheckQuery(account.id));
  if (check?.state === 'passed') {
    return (
      <div className="alert success" role="status">
        <CheckIcon />
        <div className="alert-text">
          <p>
            <Phrase phrase="check.passed_until" values={{ time: <Moment at={check.expires_at} /> }} />
          </p>
        </div>
      </div>
    );
  }
  return (
    <div className="alert warning">
      <DangerIcon />
      <div className="alert-text">
        <p>
          <Phrase phrase="check.missing" values={{ name: <Name account={account} /> }} />
        </p>
        <button type="button" className="button" data-action="begin-check" onClick={onBegin}>
          {t(check?.state === 'open' ? 'check.enter' : 'action.support_check')}
        </button>
      </div>
    </div>
  );
}

/** A warning for operators who may make none of the changes that need a check. All of these changes need the same right. */
export function CheckUse() {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  if (isAllowed('resets.factors')) return null;
  return (
    <div className="alert warning">
      <DangerIcon />
      <p>{t('check.no_right')}</p>
    </div>
  );
}

/** The address at which a person who cannot sign in sees the words. */
export function SupportAddress() {
  const { public_url: publicUrl } = useSession();
  return <code>{new URL('/support', publicUrl).href}</code>;
}

interface WordsDialogProps {
  account: AccountDetail;
  /** The last reason on the page; empty if the page was opened again after the check had begun. The dialog then asks for a reason. */
  reason: string;
  onClose(): void;
}

/** The second step: the words that the person reads out. */
export function WordsDialog({ account, reason, onClose }: WordsDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const notices = useNotices();
  const [words, setWords] = useState('');
  const [fault, setFault] = useState<string>();
  const [isRefused, setIsRefused] = useState(false);
  const values = { name: <Name account={account} /> };
  const compare = async (finalReason: string): Promise<void> => {
    const params = { path: { id: account.id } };
    const call = { params, headers: toReasonHeader(finalReason), body: { words: words.trim() } };
    const { state, tries_left: triesLeft } = await unwrap(api.POST('/operator/v1/accounts/{id}/support-check/answer', call));
    void client.invalidateQueries({ queryKey: accountKey(account.id) });
    if (state === 'passed') {
      notices.show(<Phrase phrase="check.passed" values={values} />);
      return onClose();
    }
    setIsRefused(state === 'refused');
    setFault(state === 'refused' ? t('check.refused') : t('check.wrong', { count: triesLeft }));
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="check.title" values={values} />}
      effects={[]}
      reason={reason}
      isReasonGiven={reason !== ''}
      command={{
        words: ['account', 'support-check', 'answer', toUserOperand(account)],
        options: [['words', words.trim() || '…']],
      }}
      confirm={isRefused ? null : t('check.compare')}
      hasFault={() => {
        const isMissing = words.trim() === '';
        setFault(isMissing ? t('check.words_missing') : undefined);
        return isMissing;
      }}
      run={compare}
      onClose={onClose}
    >
      <Field
        label={t('check.words')}
        hint={<Phrase phrase="check.words_hint" values={{ page: <SupportAddress /> }} />}
        error={fault}
      >
        {(wiring) => <ExactInput {...wiring} name="words" disabled={isRefused} value={words} onChange={setWords} />}
      </Field>
    </ReasonDialog>
  );
}
