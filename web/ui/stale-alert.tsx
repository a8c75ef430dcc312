/** The alert above a form that is shown again because its page was out of date. The alert states that nothing was changed. */
import { useTranslation } from 'react-i18next';
import { ErrorAlert } from './alert.js';

export function StaleAlert() {
  const { t } = useTranslation();
  return (
    <ErrorAlert code="stale" message="stale.message" tone="info">
      <p>{t('stale.next')}</p>
    </ErrorAlert>
  );
}
