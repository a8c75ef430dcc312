/** The trusted browsers, which need no second factor, and plain forms that end the trust. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { ManageFrame, TrustedBrowserState } from '../../../src/contract/manage-state.js';
import { QuestionButton } from './question-button.js';
import { formatLongDate } from './dates.js';
import { BrowserIcon } from './icons.js';
import { toHiddenFields } from './manage-frame.js';
import { Panel } from './panel.js';
import { RowAction } from './row-action.js';

interface Props {
  frame: ManageFrame;
  browsers: readonly TrustedBrowserState[];
  /** Target of the forms, which redirects back to the page. */
  action: string;
}

export function TrustedBrowsers({ frame, browsers, action }: Props) {
  const { t } = useTranslation();
  const endAllButton = (
    <QuestionButton
      action={action}
      hidden={toHiddenFields(frame)}
      label={t('trusted.end_all')}
      question={t('trusted.end_all_question')}
      submitLabel="trusted.end_all_now"
    />
  );
  return (
    <Panel heading="trusted.heading" introduction={t('trusted.text')} footer={browsers.length > 1 && endAllButton}>
      {browsers.map((browser) => (
        <TrustedBrowser key={browser.id} frame={frame} action={action} browser={browser} />
      ))}
    </Panel>
  );
}

function TrustedBrowser({ frame, action, browser }: Omit<Props, 'browsers'> & { browser: TrustedBrowserState }) {
  const { t } = useTranslation();
  const name = browser.name ?? t('trusted.unknown');
  const toDayValue = (moment: string) => ({ day: formatLongDate(moment, t('language.dates')) });
  return (
    <li className="row">
      <span className="tile">
        <BrowserIcon />
      </span>
      <span className="what">
        <b>
          {name} {browser.is_this && <span className="tag success">{t('trusted.this')}</span>}
        </b>
        <small>{t('trusted.used', toDayValue(browser.last_used_at))}</small>
        <small>{t('trusted.until', toDayValue(browser.expires_at))}</small>
      </span>
      <RowAction
        action={action}
        hidden={{ ...toHiddenFields(frame), [FIELDS.key]: browser.id }}
        label={t('trusted.end')}
        name={t('trusted.end_name', { name })}
      />
    </li>
  );
}
