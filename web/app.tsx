/**
 * Which page is shown: one switch over `screenFor`, closed by the compiler, used by server and browser alike (GEN-2).
 * To add a page: a member of the union, a line in `PAGES`, a case here, a file in `pages/`, its fixtures.
 */
import type { i18n as I18n, TFunction } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import type { PageState } from '../src/contract/page-state.js';
import { screenFor } from '../src/contract/screen-for.js';
import { lazyPage } from './pages/lazy-page.js';
import type { Screen, ScreenToLoad } from './pages/lazy-page.js';
import { Shell } from './ui/shell.js';
import { windowTitle } from './ui/window-title.js';

const PAGES = {
  login: lazyPage(() => import('./pages/login.js')),
  accounts: lazyPage(() => import('./pages/accounts.js')),
  login_hint: lazyPage(() => import('./pages/login-hint.js')),
  consent: lazyPage(() => import('./pages/consent.js')),
  logout: lazyPage(() => import('./pages/logout.js')),
  registration: lazyPage(() => import('./pages/registration.js')),
  oauth_error: lazyPage(() => import('./pages/oauth-error.js')),
  server_error: lazyPage(() => import('./pages/server-error.js')),
  mfa_verification: lazyPage(() => import('./pages/mfa-verification.js')),
  manage: lazyPage(() => import('./pages/manage.js')),
  manage_mfa: lazyPage(() => import('./pages/manage-mfa.js')),
  manage_factor: lazyPage(() => import('./pages/manage-factor.js')),
  manage_recovery_codes: lazyPage(() => import('./pages/manage-recovery-codes.js')),
  manage_password: lazyPage(() => import('./pages/manage-password.js')),
  manage_username: lazyPage(() => import('./pages/manage-username.js')),
  manage_confirm: lazyPage(() => import('./pages/manage-confirm.js')),
  manage_error: lazyPage(() => import('./pages/manage-error.js')),
  password_request_form: lazyPage(() => import('./pages/password-request-form.js')),
  password_request_status: lazyPage(() => import('./pages/password-request-status.js')),
  password_reset_form: lazyPage(() => import('./pages/password-reset-form.js')),
  password_reset_status: lazyPage(() => import('./pages/password-reset-status.js')),
  mfa_reset_form: lazyPage(() => import('./pages/mfa-reset-form.js')),
  mfa_reset_status: lazyPage(() => import('./pages/mfa-reset-status.js')),
  not_me: lazyPage(() => import('./pages/not-me.js')),
};

/** One after the other: not every module loader can link modules with common imports in parallel. */
export async function loadAllPages(): Promise<void> {
  for (const page of Object.values(PAGES)) await page.load();
}

/** The state, if it may be shown at this path; otherwise "page not found" (GEN-4). */
export function stateFor(path: string, state: PageState): PageState {
  if (screenFor(path, state) === state.page) return state;
  const { locale, locale_source, app } = state;
  const server_error = { status: 404, code: 'page_not_found', request_id: '' } as const;
  return { page: 'server_error', locale, locale_source, app, server_error };
}

export function screenOf(state: PageState): ScreenToLoad {
  switch (state.page) {
    case 'login':
      return PAGES.login.with(state);
    case 'accounts':
      return PAGES.accounts.with(state);
    case 'login_hint':
      return PAGES.login_hint.with(state);
    case 'consent':
      return PAGES.consent.with(state);
    case 'logout':
      return PAGES.logout.with(state);
    case 'registration':
    case 'oauth_error':
    case 'server_error':
      return endScreenOf(state);
    case 'mfa_verification':
      return PAGES.mfa_verification.with(state);
    default:
      return accountScreenOf(state);
  }
}

/** Pages behind a link in a mail, and pages for people who are signed in. */
function accountScreenOf(state: Parameters<typeof resetScreenOf>[0] | Parameters<typeof manageScreenOf>[0]): ScreenToLoad {
  switch (state.page) {
    case 'password_request_form':
    case 'password_request_status':
    case 'password_reset_form':
    case 'password_reset_status':
    case 'mfa_reset_form':
    case 'mfa_reset_status':
    case 'not_me':
      return resetScreenOf(state);
    default:
      return manageScreenOf(state);
  }
}

/** Pages that end a request without a redirect to the app. */
function endScreenOf(state: Extract<PageState, { page: 'registration' | 'oauth_error' | 'server_error' }>): ScreenToLoad {
  switch (state.page) {
    case 'registration':
      return PAGES.registration.with(state);
    case 'oauth_error':
      return PAGES.oauth_error.with(state);
    case 'server_error':
      return PAGES.server_error.with(state);
    default:
      return unknownPage(state);
  }
}

function manageScreenOf(state: Extract<PageState, { page: `manage${string}` }>): ScreenToLoad {
  switch (state.page) {
    case 'manage':
      return PAGES.manage.with(state);
    case 'manage_mfa':
      return PAGES.manage_mfa.with(state);
    case 'manage_factor':
      return PAGES.manage_factor.with(state);
    case 'manage_recovery_codes':
      return PAGES.manage_recovery_codes.with(state);
    case 'manage_password':
      return PAGES.manage_password.with(state);
    case 'manage_username':
      return PAGES.manage_username.with(state);
    case 'manage_confirm':
      return PAGES.manage_confirm.with(state);
    case 'manage_error':
      return PAGES.manage_error.with(state);
    default:
      return unknownPage(state);
  }
}

type ResetState = Extract<PageState, { page: `password_${string}` | `mfa_reset_${string}` | 'not_me' }>;

function resetScreenOf(state: ResetState): ScreenToLoad {
  switch (state.page) {
    case 'password_request_form':
      return PAGES.password_request_form.with(state);
    case 'password_request_status':
      return PAGES.password_request_status.with(state);
    case 'password_reset_form':
      return PAGES.password_reset_form.with(state);
    case 'password_reset_status':
      return PAGES.password_reset_status.with(state);
    case 'mfa_reset_form':
      return PAGES.mfa_reset_form.with(state);
    case 'mfa_reset_status':
      return PAGES.mfa_reset_status.with(state);
    case 'not_me':
      return PAGES.not_me.with(state);
    default:
      return unknownPage(state);
  }
}

function unknownPage(state: never): never {
  throw new Error(`There is no page for ${JSON.stringify(state)}.`);
}

export function titleOf({ heading }: Screen, t: TFunction, appName: string): string {
  return windowTitle(t(...heading), appName);
}

export function App({ state, screen, i18n }: { state: PageState; screen: Screen; i18n: I18n }) {
  return (
    <I18nextProvider i18n={i18n}>
      <Shell app={state.app}>{screen.content}</Shell>
    </I18nextProvider>
  );
}
