/** The task of accepting terms. A long text is closed at first, so that the question is seen. */
import { useTranslation } from 'react-i18next';
import { TASK_FIELDS, type TermsTaskState } from '../../src/contract/task-state.js';
import { TermsText } from '../ui/account/terms-text.js';
import { ALERT_ID } from '../ui/alert.js';
import { SubmitButton } from '../ui/form.js';

const MAX_OPEN_LENGTH = 1500;

export function TermsFields({ task }: { task: TermsTaskState }) {
  const { t } = useTranslation();
  const { title, text, language, error } = task;
  return (
    <>
      <TermsText title={title} text={text} language={language} isOpen={text.length <= MAX_OPEN_LENGTH} />
      <div className="stack">
        <label className="check">
          <input
            type="checkbox"
            name={TASK_FIELDS.accepted}
            value="true"
            aria-describedby={error === 'not-accepted' ? ALERT_ID : undefined}
          />{' '}
          {t('task.terms_check')}
        </label>
        <SubmitButton primary label={t('task.terms_accept')} busyLabel={t('app.one_moment')} />
      </div>
    </>
  );
}
