/** Shows when the account will be deleted, with a plain form that cancels the deletion. */
import { useTranslation } from 'react-i18next';
import { PATHS } from '../../../src/contract/paths.js';
import { MarkedPhrase } from '../../i18n/marked-phrase.js';
import { Form, SubmitButton } from '../form.js';
import { Notice } from '../notice.js';
import { Moment } from './moment.js';

/** @param dueAt ISO 8601, UTC */
export function DeletionDue({ dueAt, hidden }: { dueAt: string; hidden: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  return (
    <Notice tone="warning" message={<MarkedPhrase i18nKey="manage.deletion_due" components={{ time: <Moment iso={dueAt} /> }} />}>
      <p>{t('manage.deletion_due_text')}</p>
      <Form action={PATHS.manageDeletionCancel} hidden={hidden}>
        <SubmitButton className="compact" label={t('manage.deletion_keep')} busyLabel={t('app.one_moment')} />
      </Form>
    </Notice>
  );
}
