/** The words that a person reads to the help desk, with a warning about people who only claim to be the help desk. */
import { useTranslation } from 'react-i18next';
import type { SupportWordsState } from '../../../src/contract/manage-state.js';
import { Isolated } from '../../i18n/isolated.js';
import { MarkedPhrase } from '../../i18n/marked-phrase.js';
import { Notice } from '../notice.js';
import { Moment } from './moment.js';

export function SupportCheck({ check: { words, operator, expires_at: expiresAt } }: { check: SupportWordsState }) {
  const { t } = useTranslation();
  const message =
    operator === null ? (
      t('support_check.message')
    ) : (
      <MarkedPhrase i18nKey="support_check.message_by" components={{ operator: <Isolated text={operator} /> }} />
    );
  return (
    <Notice tone="warning" message={message}>
      <p className="spoken">
        <bdi lang="en" translate="no">
          {words}
        </bdi>
      </p>
      <p>{t('support_check.text')}</p>
      <p>
        <MarkedPhrase i18nKey="support_check.end" components={{ time: <Moment iso={expiresAt} /> }} />
      </p>
    </Notice>
  );
}
