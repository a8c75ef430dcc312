/** The task of accepting terms. A long text is closed at first, so that the question is seen. */
import { useTranslation } from 'react-i18next';
import { PATHS } from '../../src/contract/paths.js';
import { TASK_FIELDS, TASK_QUERIES, type TermsTaskState } from '../../src/contract/task-state.js';
import { formatLongDate } from '../ui/account/dates.js';
import { TermsText } from '../ui/account/terms-text.js';
import { ALERT_ID } from '../ui/alert.js';
import { SubmitButton } from '../ui/form.js';

const MAX_OPEN_LENGTH = 1500;

export function TermsFields({ shown }: { shown: TermsTaskState }) {
  const { t } = useTranslation();
  const { title, text, language, later_until: laterUntil, error } = shown;
  const moment = t('app.one_moment');
  return (
    <>
      <details className="quoted" open={text.length <= MAX_OPEN_LENGTH}>
        <summary>
          <b lang={language} dir="auto">
            {title}
          </b>
        </summary>
        <TermsText text={text} language={language} />
      </details>
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
        <SubmitButton primary label={t('task.terms_accept')} busyLabel={moment} />
        {laterUntil !== undefined && (
          <>
            <SubmitButton label={t('later.submit')} busyLabel={moment} formAction={PATHS.loginTask + TASK_QUERIES.later} />
            <p className="hint">{t('task.terms_later_until', { day: formatLongDate(laterUntil, t('language.dates')) })}</p>
          </>
        )}
        <SubmitButton
          className="quiet"
          label={t('task.terms_cancel')}
          busyLabel={moment}
          formAction={PATHS.loginTask + TASK_QUERIES.cancel}
        />
      </div>
    </>
  );
}
