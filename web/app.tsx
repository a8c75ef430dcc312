/** Chooses the page to show. Server and browser use the same table of all pages (GEN-2). */
import type { i18n as I18n, TFunction } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import type { PageName, PageOf, PageState } from '../src/contract/page-state.js';
import { screenFor } from '../src/contract/screen-for.js';
import { lazyPage, type LazyPage, type Screen, type ScreenToLoad } from './pages/lazy-page.js';
import { Shell } from './ui/shell.js';
import { hasError, windowTitle } from './ui/window-title.js';

const PAGES: { readonly [Name in PageName]: LazyPage<PageOf<Name>> } = {
  login: lazyPage(() => import('./pages/login.js')),
  accounts: lazyPage(() => import('./pages/accounts.js')),
  login_hint: lazyPage(() => import('./pages/login-hint.js')),
  consent: lazyPage(() => import('./pages/consent.js')),
  device: lazyPage(() => import('./pages/device.js')),
  device_end: lazyPage(() => import('./pages/device-end.js')),
  logout: lazyPage(() => import('./pages/logout.js')),
  registration: lazyPage(() => import('./pages/registration.js')),
  oauth_error: lazyPage(() => import('./pages/oauth-error.js')),
  server_error: lazyPage(() => import('./pages/server-error.js')),
  mfa_verification: lazyPage(() => import('./pages/mfa-verification.js')),
  passkey_offer: lazyPage(() => import('./pages/passkey-offer.js')),
  manage: lazyPage(() => import('./pages/manage.js')),
  manage_data: lazyPage(() => import('./pages/manage-data.js')),
  manage_apps: lazyPage(() => import('./pages/manage-apps.js')),
  manage_devices: lazyPage(() => import('./pages/manage-devices.js')),
  manage_activity: lazyPage(() => import('./pages/manage-activity.js')),
  manage_deletion: lazyPage(() => import('./pages/manage-deletion.js')),
  manage_mfa: lazyPage(() => import('./pages/manage-mfa.js')),
  manage_factor: lazyPage(() => import('./pages/manage-factor.js')),
  manage_recovery_codes: lazyPage(() => import('./pages/manage-recovery-codes.js')),
  manage_password: lazyPage(() => import('./pages/manage-password.js')),
  manage_email: lazyPage(() => import('./pages/manage-email.js')),
  manage_username: lazyPage(() => import('./pages/manage-username.js')),
  manage_confirm: lazyPage(() => import('./pages/manage-confirm.js')),
  manage_switch: lazyPage(() => import('./pages/manage-switch.js')),
  manage_error: lazyPage(() => import('./pages/manage-error.js')),
  password_request_form: lazyPage(() => import('./pages/password-request-form.js')),
  password_request_status: lazyPage(() => import('./pages/password-request-status.js')),
  password_reset_form: lazyPage(() => import('./pages/password-reset-form.js')),
  password_reset_status: lazyPage(() => import('./pages/password-reset-status.js')),
  mfa_reset_form: lazyPage(() => import('./pages/mfa-reset-form.js')),
  mfa_reset_status: lazyPage(() => import('./pages/mfa-reset-status.js')),
  not_me: lazyPage(() => import('./pages/not-me.js')),
  keep_account: lazyPage(() => import('./pages/keep-account.js')),
};

/** Loads the pages one after the other, because not every module loader can link modules with common imports in parallel. */
export async function loadAllPages(): Promise<void> {
  for (const page of Object.values(PAGES)) await page.load();
}

/** @returns the state if it may be shown at this path, otherwise that of "page not found" (GEN-4) */
export function stateFor(path: string, state: PageState): PageState {
  if (screenFor(path, state) === state.page) return state;
  const { locale, locale_source, app } = state;
  const server_error = { status: 404, code: 'page_not_found', request_id: '' } as const;
  return { page: 'server_error', locale, locale_source, app, server_error };
}

export function toScreen<Name extends PageName>(state: PageOf<Name>): ScreenToLoad {
  return PAGES[state.page].toScreen(state);
}

export function toTitle({ heading }: Screen, t: TFunction, state: PageState): string {
  const title = windowTitle(t(...heading), state.app.name);
  return hasError(state) ? t('app.error_title', { title }) : title;
}

export function App({ state, screen, i18n }: { state: PageState; screen: Screen; i18n: I18n }) {
  return (
    <I18nextProvider i18n={i18n}>
      <Shell app={state.app}>{screen.content}</Shell>
    </I18nextProvider>
  );
}
