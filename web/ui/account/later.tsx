/** The button that postpones a task or a set-up, and the first day on which it cannot be postponed. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import { Form, SubmitButton } from '../form.js';
import { formatLongDate } from './dates.js';

/** @param laterUntil ISO 8601: the first day on which the task or the set-up cannot be postponed */
export function Later({
  laterUntil,
  action,
  hidden,
}: {
  laterUntil: string;
  action: string;
  hidden: Readonly<Record<string, string>>;
}) {
  const { t } = useTranslation();
  const date = formatLongDate(laterUntil, t('language.dates'));
  return (
    <Form className="tight" action={action} hidden={{ ...hidden, [FIELDS.proceed]: 'later' }}>
      <SubmitButton label={t('later.submit')} busyLabel={t('app.one_moment')} />
      <p className="hint">{t('later.from', { date })}</p>
    </Form>
  );
}
