/** Downloads the data that is stored about the person. */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { Send } from '../browser/busy-submit.js';
import { phrase } from '../i18n/phrase.js';
import { FaultAlert, useFault } from '../ui/account/fault.js';
import { LastChange } from '../ui/account/last-change.js';
import { BACK_TO_SETTINGS, toHiddenFields } from '../ui/account/manage-frame.js';
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
  const save: Send = async () => {
    form.current?.submit();
    setStarted(true);
    return 'stays';
  };
  return (
    <Form form={form} className="flow" action={PATHS.manageData} hidden={toHiddenFields(state)} send={save}>
      <Heading heading={heading(state)} back={BACK_TO_SETTINGS} />
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
  );
}
