/** Login settings: who is signed in, and what can be changed (MAN-2, 7, 8, 10). */
import { useTranslation } from 'react-i18next';
import type { UserState } from '../../src/contract/manage-state.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../i18n/phrase.js';
import type { MessageKey } from '../i18n/phrase.js';
import { accountOf, hiddenOf } from '../ui/account/manage-frame.js';
import { ErrorAlert } from '../ui/alert.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Notice } from '../ui/notice.js';
import { AccountChip } from '../ui/account-chip.js';
import { Heading } from '../ui/heading.js';
import { Panels } from './manage-panels.js';
import { LoadUser } from './manage-loading.js';
import { StatusBanner } from './manage-status.js';

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
      {manage.status && <StatusBanner status={manage.status} hasFactor={hasFactor(state)} />}
      {manage.frozen_hours !== undefined && (
        <Notice tone="warning" message={t('manage.frozen')}>
          <p>{t('manage.frozen_text', { count: manage.frozen_hours })}</p>
        </Notice>
      )}
      {manage.error && (
        <ErrorAlert code={manage.error} message="manage.last_way_in">
          <p>{t('manage.last_way_in_text')}</p>
        </ErrorAlert>
      )}
      {manage.oauth_error !== undefined && (
        <ErrorAlert code="oauth-error" message="manage.connect_failed" calm={manage.oauth_error === CANCELLED}>
          <p>
            <OAuthError code={manage.oauth_error} />
          </p>
        </ErrorAlert>
      )}
      <AccountChip account={{ ...accountOf(user), username: manage.username || user.username }} picture={user.picture} large>
        <Form action={PATHS.manageLogout} hidden={hiddenOf(state)}>
          <SubmitButton look="quiet compact" label={t('manage.log_out')} busyLabel={t('app.one_moment')} />
        </Form>
      </AccountChip>
      <Panels manage={manage} hidden={hiddenOf(state)} />
    </div>
  );
}

/** Cancelled by the person: not an error. */
const CANCELLED = 'access_denied';

const OAUTH_ERRORS: Readonly<Record<string, MessageKey>> = {
  [CANCELLED]: 'manage.oauth_access_denied',
  unavailable: 'manage.oauth_unavailable',
  refused: 'manage.oauth_refused',
  expired: 'manage.oauth_expired',
  other_connected: 'manage.oauth_other_connected',
  limited: 'manage.oauth_limited',
  frozen: 'manage.oauth_frozen',
};

/** Anything else in the address is untrusted text. */
function OAuthError({ code }: { code: string }) {
  const { t } = useTranslation();
  const known = Object.hasOwn(OAUTH_ERRORS, code) ? OAUTH_ERRORS[code] : undefined;
  return known ? t(known) : <bdi>{code}</bdi>;
}

function hasFactor({ manage }: PageOf<'manage'>): boolean {
  return manage.factors.length > 0;
}
