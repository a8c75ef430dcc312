/** Chooses the page to show. Server and browser use the same table of all pages (GEN-2). */
import type { i18n as I18n, TFunction } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import type { PageName, PageOf, PageState } from '../src/contract/page-state.js';
import { screenFor } from '../src/contract/screen-for.js';
import { createLazyPage, type LazyPage, type Screen, type LoadableScreen } from './pages/lazy-page.js';
import { Shell } from './ui/shell.js';
import { hasError, buildWindowTitle } from './ui/window-title.js';

const PAGES: { readonly [Name in PageName]: LazyPage<PageOf<Name>> } = {
  login: createLazyPage(() => import('./pages/login.js')),
  accounts: createLazyPage(() => import('./pages/accounts.js')),
  login_hint: createLazyPage(() => import('./pages/login-hint.js')),
  consent: createLazyPage(() => import('./pages/consent.js')),
  device: createLazyPage(() => import('./pages/device.js')),
  device_end: createLazyPage(() => import('./pages/device-end.js')),
  logout: createLazyPage(() => import('./pages/logout.js')),
  registration: createLazyPage(() => import('./pages/registration.js')),
  oauth_error: createLazyPage(() => import('./pages/oauth-error.js')),
  server_error: createLazyPage(() => import('./pages/server-error.js')),
  mfa_verification: createLazyPage(() => import('./pages/mfa-verification.js')),
  task: createLazyPage(() => import('./pages/task.js')),
  passkey_offer: createLazyPage(() => import('./pages/passkey-offer.js')),
  manage: createLazyPage(() => import('./pages/manage.js')),
  manage_data: createLazyPage(() => import('./pages/manage-data.js')),
  manage_apps: createLazyPage(() => import('./pages/manage-apps.js')),
  manage_devices: createLazyPage(() => import('./pages/manage-devices.js')),
  manage_activity: createLazyPage(() => import('./pages/manage-activity.js')),
  manage_deletion: createLazyPage(() => import('./pages/manage-deletion.js')),
  manage_mfa: createLazyPage(() => import('./pages/manage-mfa.js')),
  manage_factor: createLazyPage(() => import('./pages/manage-factor.js')),
  manage_recovery_codes: createLazyPage(() => import('./pages/manage-recovery-codes.js')),
  manage_password: createLazyPage(() => import('./pages/manage-password.js')),
  manage_email: createLazyPage(() => import('./pages/manage-email.js')),
  manage_username: createLazyPage(() => import('./pages/manage-username.js')),
  manage_confirm: createLazyPage(() => import('./pages/manage-confirm.js')),
  manage_switch: createLazyPage(() => import('./pages/manage-switch.js')),
  manage_error: createLazyPage(() => import('./pages/manage-error.js')),
  password_request_form: createLazyPage(() => import('./pages/password-request-form.js')),
  password_request_status: createLazyPage(() => import('./pages/password-request-status.js')),
  password_reset_form: createLazyPage(() => import('./pages/password-reset-form.js')),
  password_reset_status: createLazyPage(() => import('./pages/password-reset-status.js')),
  mfa_reset_form: createLazyPage(() => import('./pages/mfa-reset-form.js')),
  mfa_reset_status: createLazyPage(() => import('./pages/mfa-reset-status.js')),
  not_me: createLazyPage(() => import('./pages/not-me.js')),
  keep_account: createLazyPage(() => import('./pages/keep-account.js')),
  stop_change: createLazyPage(() => import('./pages/stop-change.js')),
  mailed_code: createLazyPage(() => import('./pages/mailed-code.js')),
  support: createLazyPage(() => import('./pages/support.js')),
};

/** Loads the pages one after the other, because not every module loader can link modules with common imports in parallel. */
export async function loadAllPages(): Promise<void> {
  for (const page of Object.values(PAGES)) await page.load();
}

/** @returns the state if its page may be shown at this path, otherwise the state of the page "page not found" (GEN-4) */
export function chooseState(path: string, state: PageState): PageState {
  if (screenFor(path, state) === state.page) return state;
  const { locale, locale_source, app } = state;
  const server_error = { status: 404, code: 'page_not_found', request_id: '' } as const;
  return { page: 'server_error', locale, locale_source, app, server_error };
}

export function toScreen<Name extends PageName>(state: PageOf<Name>): LoadableScreen {
  return PAGES[state.page].toScreen(state);
}

export function toTitle({ heading }: Screen, t: TFunction, state: PageState): string {
  const title = buildWindowTitle(t(...heading), state.app.name);
  return hasError(state) ? t('app.error_title', { title }) : title;
}

export function App({ state, screen, i18n }: { state: PageState; screen: Screen; i18n: I18n }) {
  return (
    <I18nextProvider i18n={i18n}>
      <Shell app={state.app}>{screen.content}</Shell>
    </I18nextProvider>
  );
}
