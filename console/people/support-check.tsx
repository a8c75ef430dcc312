/**
 * The check of who is calling (SUPPORT_CHECK): the operator types the three words that the person reads from their own page. Nothing
 * here shows the words.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, toReasonHeader, unwrap, type AccountDetail } from '../api/calls.js';
import { accountKey, supportCheckQuery } from '../api/queries.js';
import { Dialog } from '../ui/dialog.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Field } from '../ui/field.js';
import { CheckIcon, DangerIcon } from '../ui/icons.js';
import { Moment } from '../ui/moment.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';
import { Command } from '../ui/reason-dialog.js';
import { UserText } from '../ui/user-text.js';
import { toUserOperand } from './actions.js';
import { formatCommand } from './command-line.js';

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
          {t('action.support_check')}
        </button>
      </div>
    </div>
  );
}

interface WordsDialogProps {
  account: AccountDetail;
  /** Why the check was begun. */
  reason: string;
  onClose(): void;
}

/** The second step: the words that the person reads out. */
export function WordsDialog({ account, reason, onClose }: WordsDialogProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const { fault, error, isBusy, isRefused, compare } = useComparison({ account, reason, onClose });
  const options = [
    ['words', words.trim() || '…'],
    ['reason', reason],
  ] as const;
  const command = { words: ['account', 'support-check', 'answer', toUserOperand(account)], options };
  return (
    <Dialog
      title={<Phrase phrase="check.title" values={{ name: <Name account={account} /> }} />}
      onClose={onClose}
      isBusy={isBusy}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          compare(words.trim());
        }}
      >
        <div className="dialog-body">
          <Field label={t('check.words')} hint={t('check.words_hint')} error={fault}>
            {(given) => (
              <input
                {...given}
                name="words"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                disabled={isRefused}
                value={words}
                onChange={({ currentTarget }) => setWords(currentTarget.value)}
              />
            )}
          </Field>
          <Command text={formatCommand(command)} />
          {error !== null && <FaultAlert error={error} />}
        </div>
        <Buttons isBusy={isBusy} isRefused={isRefused} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function Buttons({ isBusy, isRefused, onClose }: { isBusy: boolean; isRefused: boolean; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <div className="dialog-foot">
      <button type="button" className="button" onClick={onClose} disabled={isBusy}>
        {t(isRefused ? 'dialog.close' : 'dialog.cancel')}
      </button>
      {!isRefused && (
        <button type="submit" className="button primary" aria-busy={isBusy} disabled={isBusy}>
          {t('check.compare')}
        </button>
      )}
    </div>
  );
}

function useComparison({ account, reason, onClose }: WordsDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const notices = useNotices();
  const [fault, setFault] = useState<string>();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [isRefused, setIsRefused] = useState(false);

  const send = async (words: string): Promise<void> => {
    const call = { params: { path: { id: account.id } }, headers: toReasonHeader(reason), body: { words } };
    const { state, tries_left: left } = await unwrap(api.POST('/operator/v1/accounts/{id}/support-check/answer', call));
    void client.invalidateQueries({ queryKey: accountKey(account.id) });
    if (state === 'passed') {
      notices.show(<Phrase phrase="check.passed" values={{ name: <Name account={account} /> }} />, { tone: 'success' });
      return onClose();
    }
    setIsRefused(state === 'refused');
    setFault(state === 'refused' ? t('check.refused') : t('check.wrong', { count: left }));
  };

  const compare = (words: string): void => {
    if (isBusy || isRefused) return;
    if (words === '') return setFault(t('check.words_missing'));
    setFault(undefined);
    setError(null);
    setIsBusy(true);
    send(words)
      .catch(setError)
      .finally(() => setIsBusy(false));
  };
  return { fault, error, isBusy, isRefused, compare };
}
