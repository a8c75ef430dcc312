/** The overview of the account area: the signed-in person, and the settings (MAN-2, 7, 8, 10). */
import { useTranslation } from 'react-i18next';
import type { UserState } from '../../src/contract/manage-state.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../i18n/phrase.js';
import { SupportCheck } from '../ui/account/support-check.js';
import { DeletionDue } from '../ui/account/deletion-due.js';
import { toAccount, toHiddenFields } from '../ui/account/manage-frame.js';
import { ErrorAlert } from '../ui/alert.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Notice } from '../ui/notice.js';
import { AccountChip } from '../ui/account-chip.js';
import { Heading } from '../ui/heading.js';
import { PasskeySignals } from '../ui/account/passkey-signals.js';
import { Panels } from './manage-panels.js';
import { Protection } from './manage-protection.js';
import { RequiredTasks } from './manage-required.js';
import { LoadUser } from './manage-loading.js';
import { ConnectFailed, StatusBanner } from '../ui/account/last-change.js';

export const heading = (_: PageOf<'manage'>) => phrase('settings.settings');

export function Page({ state }: { state: PageOf<'manage'> }) {
  if (state.user) return <Settings state={state} user={state.user} />;
  return <LoadUser state={state}>{(user) => <Settings state={state} user={user} />}</LoadUser>;
}

function Settings({ state, user }: { state: PageOf<'manage'>; user: UserState }) {
  const { t } = useTranslation();
  const { manage } = state;
  return (
    <div className="flow">
      <Heading heading={heading(state)} />
      {manage.status && <StatusBanner status={manage.status} factor={manage.status_factor} hasFactor={hasFactor(state)} />}
      {manage.support_check && <SupportCheck check={manage.support_check} />}
      {manage.deletion_due_at !== undefined && <DeletionDue dueAt={manage.deletion_due_at} hidden={toHiddenFields(state)} />}
      {manage.frozen_hours !== undefined && (
        <Notice tone="warning" message={t('manage.frozen')}>
          <p>{t('manage.frozen_text', { count: manage.frozen_hours })}</p>
        </Notice>
      )}
      <RequiredTasks manage={manage} />
      {manage.terms_open && (
        <Notice tone="info" message={t('manage.terms_open')}>
          <p>{t('manage.terms_open_text')}</p>
        </Notice>
      )}
      {manage.error && (
        <ErrorAlert code={manage.error} message="manage.last_way_in">
          <p>{t('manage.last_way_in_text')}</p>
        </ErrorAlert>
      )}
      {manage.oauth_error !== undefined && <ConnectFailed code={manage.oauth_error} />}
      <AccountChip
        account={{ ...toAccount(user), username: manage.username || user.username }}
        picture={user.picture}
        note={<Protection manage={manage} />}
        large
      >
        <Form action={PATHS.manageLogout} hidden={toHiddenFields(state)}>
          <SubmitButton className="quiet compact" label={t('manage.log_out')} busyLabel={t('app.one_moment')} />
        </Form>
      </AccountChip>
      <PasskeySignals passkeys={manage.passkeys} />
      <Panels manage={manage} hidden={toHiddenFields(state)} />
    </div>
  );
}

function hasFactor({ manage }: PageOf<'manage'>): boolean {
  return manage.factors.length > 0;
}
