/** Downloads the data that is stored about the person, and lists the accepted terms, with forms that withdraw the acceptance. */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { WITHDRAW_QUERY, type AcceptedTermsState } from '../../src/contract/manage-data-state.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { Send } from '../browser/busy-submit.js';
import { phrase } from '../i18n/phrase.js';
import { DOT, formatLongDate } from '../ui/account/dates.js';
import { FaultAlert, useFault } from '../ui/account/fault.js';
import { LastChange } from '../ui/account/last-change.js';
import { BACK_TO_SETTINGS, toHiddenFields } from '../ui/account/manage-frame.js';
import { TermsText } from '../ui/account/terms-text.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { Notice } from '../ui/notice.js';

export const heading = (_: PageOf<'manage_data'>) => phrase('manage_data.heading');

export function Page({ state }: { state: PageOf<'manage_data'> }) {
  const { t } = useTranslation();
  const { error, retry_after: retryAfterSeconds } = state.manage_data;
  const { fault } = useFault(error, { retryAfterSeconds });
  const form = useRef<HTMLFormElement>(null);
  const [isStarted, setStarted] = useState(false);
  // The answer is a file, so the page stays open: without this handler, the button would show progress forever.
  const download: Send = async () => {
    form.current?.submit();
    setStarted(true);
    return 'stays';
  };
  return (
    <div className="flow">
      <Form form={form} className="flow" action={PATHS.manageData} hidden={toHiddenFields(state)} send={download}>
        <Heading heading={heading(state)} backLink={BACK_TO_SETTINGS} />
        <LastChange frame={state} />
        <p>{t('manage_data.text')}</p>
        <ul className="bullets">
          <li>{t('manage_data.account')}</li>
          <li>{t('manage_data.credentials')}</li>
          <li>{t('manage_data.access')}</li>
          <li>{t('manage_data.events')}</li>
        </ul>
        <p className="quiet-text small">{t('manage_data.secrets')}</p>
        <FaultAlert fault={fault} />
        {isStarted && <Notice tone="success" live message={t('manage_data.started')} />}
        <div className="actions">
          <SubmitButton primary label={t('manage_data.download')} busyLabel={t('app.one_moment')} />
        </div>
      </Form>
      {state.manage_data.terms.length > 0 && <AcceptedTerms state={state} />}
    </div>
  );
}

function AcceptedTerms({ state }: { state: PageOf<'manage_data'> }) {
  const { t } = useTranslation();
  return (
    <section className="stack">
      <h2>{t('manage_data.terms')}</h2>
      <p className="quiet-text small">{t('manage_data.terms_text')}</p>
      {state.manage_data.terms.map((terms) => (
        <Terms key={`${terms.id} ${terms.accepted_at}`} state={state} terms={terms} />
      ))}
    </section>
  );
}

function Terms({ state, terms }: { state: PageOf<'manage_data'>; terms: AcceptedTermsState }) {
  const { t } = useTranslation();
  const { id, text, language, accepted_at: acceptedAt, withdrawn_at: withdrawnAt } = terms;
  const toDay = (iso: string) => formatLongDate(iso, t('language.dates'));
  const title = text.trim().split(/\r?\n/)[0] ?? id;
  return (
    <div className="stack">
      <TermsText title={title} text={text} language={language} />
      <p className="small">
        {t('manage_data.terms_accepted', { day: toDay(acceptedAt), version: isolate(terms.version) })}
        {withdrawnAt !== null && DOT + t('manage_data.terms_withdrawn', { day: toDay(withdrawnAt) })}
      </p>
      {withdrawnAt === null && (
        <Form action={PATHS.manageData + WITHDRAW_QUERY} hidden={{ ...toHiddenFields(state), [FIELDS.key]: id }}>
          <SubmitButton
            className="compact"
            label={t('manage_data.terms_withdraw')}
            name={t('manage_data.terms_withdraw_name', { name: title })}
            busyLabel={t('app.one_moment')}
          />
        </Form>
      )}
    </div>
  );
}

/** In a text from right to left, a version such as `2026-11` would be read as `11-2026`. */
const isolate = (version: string): string => `\u2066${version}\u2069`;
