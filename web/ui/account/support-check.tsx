/** The words that a person reads to the help desk, with a warning against whoever only claims to be the help desk. */
import { useTranslation } from 'react-i18next';
import type { ManageState } from '../../../src/contract/manage-state.js';
import { Isolated } from '../../i18n/isolated.js';
import { MarkedPhrase } from '../../i18n/marked-phrase.js';
import { Notice } from '../notice.js';
import { Moment } from './moment.js';

export function SupportCheck({
  check: { words, operator, expires_at: end },
}: {
  check: NonNullable<ManageState['support_check']>;
}) {
  const { t } = useTranslation();
  const message =
    operator === null ? (
      t('manage.support_check')
    ) : (
      <MarkedPhrase i18nKey="manage.support_check_by" components={{ operator: <Isolated text={operator} /> }} />
    );
  return (
    <Notice tone="warning" message={message}>
      <p>
        <strong>
          <bdi lang="en" translate="no">
            {words}
          </bdi>
        </strong>
      </p>
      <p>{t('manage.support_check_text')}</p>
      <p>
        <MarkedPhrase i18nKey="manage.support_check_end" components={{ time: <Moment iso={end} /> }} />
      </p>
    </Notice>
  );
}
