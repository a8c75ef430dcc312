/**
 * Shows the effects of deleting the account, and the form that starts the waiting period. During the waiting period the page offers to
 * keep the account.
 */
import { useTranslation } from 'react-i18next';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { phrase } from '../i18n/phrase.js';
import { CancelLink } from '../ui/account/cancel-link.js';
import { DeletionDue } from '../ui/account/deletion-due.js';
import { FaultAlert, useFault } from '../ui/account/fault.js';
import { LastChange } from '../ui/account/last-change.js';
import { BACK_TO_SETTINGS, toHiddenFields } from '../ui/account/manage-frame.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';

export const heading = (_: PageOf<'manage_deletion'>) => phrase('manage_deletion.heading');

export function Page({ state }: { state: PageOf<'manage_deletion'> }) {
  const { t } = useTranslation();
  const { due_at: dueAt, error, wait_days: count, retry_after: retryAfterSeconds } = state.manage_deletion;
  const { fault } = useFault(error, { retryAfterSeconds });
  return (
    <div className="flow">
      <Heading heading={heading(state)} backLink={BACK_TO_SETTINGS}>
        {dueAt === null && <p>{t('manage_deletion.text', { count })}</p>}
      </Heading>
      <LastChange frame={state} />
      <FaultAlert fault={fault} />
      {dueAt !== null && <DeletionDue dueAt={dueAt} hidden={toHiddenFields(state)} />}
      <Effects state={state} />
      {dueAt === null && (
        <Form action={PATHS.manageDeletion} hidden={toHiddenFields(state)}>
          <div className="actions">
            <SubmitButton
              primary
              className="danger"
              label={t('manage_deletion.submit')}
              busyLabel={t('manage_deletion.submitting')}
            />
            <CancelLink />
          </div>
        </Form>
      )}
    </div>
  );
}

function Effects({ state: { manage_deletion: deletion } }: { state: PageOf<'manage_deletion'> }) {
  const { t } = useTranslation();
  return (
    <ul className="bullets">
      <li>{t('manage_deletion.gone')}</li>
      <li>
        {/* The phrase is wrapped in one element, because the list item lays out its children side by side. */}
        <span>
          <MarkedPhrase i18nKey="manage_deletion.apps" components={{ apps: <a href={PATHS.manageApps} /> }} />
        </span>
      </li>
      <li>{t('manage_deletion.stays')}</li>
      {deletion.comes_back && <li>{t('manage_deletion.comes_back')}</li>}
      {deletion.due_at === null && <li>{t(deletion.is_mailed ? 'manage_deletion.mailed' : 'manage_deletion.not_mailed')}</li>}
    </ul>
  );
}
