/** Announces what the person will have to do at a sign-in. What can be done now has a link. */
import { useTranslation } from 'react-i18next';
import type { ManageState } from '../../src/contract/manage-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { MessageKey } from '../i18n/phrase.js';
import { formatLongDate } from '../ui/account/dates.js';
import { Notice } from '../ui/notice.js';

export function RequiredTasks({ manage }: { manage: ManageState }) {
  const { t } = useTranslation();
  const {
    password_required: isPasswordRequired,
    email_required: email,
    factor_required: factor,
    fields_required: lacksFields,
  } = manage;
  return (
    <>
      {isPasswordRequired && (
        <Notice tone="warning" message={t('manage.password_required')}>
          <p>{t('manage.password_required_text')}</p>
          <p>
            <a href={PATHS.managePassword}>{t('manage.password_required_link')}</a>
          </p>
        </Notice>
      )}
      {email && (
        <RequiredTask
          message="manage.email_required"
          requirement={email}
          href={PATHS.manageEmail}
          link="manage.email_required_link"
        />
      )}
      {factor && (
        <RequiredTask
          message="manage.factor_required"
          requirement={factor}
          href={PATHS.manageMfa}
          link="manage.factor_required_link"
        />
      )}
      {lacksFields && (
        <Notice tone="warning" message={t('manage.fields_required')}>
          <p>{t('manage.task_next')}</p>
        </Notice>
      )}
    </>
  );
}

interface Props {
  message: MessageKey;
  /** `later_until`: the time (ISO 8601, UTC) from which the task cannot be postponed; absent if it cannot be postponed now. */
  requirement: { later_until?: string };
  href: string;
  link: MessageKey;
}

function RequiredTask({ message, requirement: { later_until: laterUntil }, href, link }: Props) {
  const { t } = useTranslation();
  const date = laterUntil === undefined ? null : formatLongDate(laterUntil, t('language.dates'));
  return (
    <Notice tone="warning" message={t(message)}>
      <p>
        {t('manage.task_next')} {date !== null && t('later.from', { date })}
      </p>
      <p>
        <a href={href}>{t(link)}</a>
      </p>
    </Notice>
  );
}
