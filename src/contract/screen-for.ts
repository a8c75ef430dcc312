/**
 * The specification's route table (section 2) as one pure function, used by server and browser (GEN-2). It uses the
 * path and the names of the state objects, never their content.
 */
import type { PageName, PageState } from './page-state.js';
import { PATHS } from './paths.js';

type KnownKeys = { [Key in PageName]?: unknown };

/** For each path with a page: screens in the order in which their state is checked. */
const SCREENS: readonly { paths: readonly string[] | RegExp; screens: readonly PageName[] }[] = [
  { paths: [PATHS.login, PATHS.loginNative, PATHS.loginProceed], screens: ['login', 'login_hint'] },
  { paths: /^\/login\/[a-z\d-]+(?:\/callback|\/account)?$/, screens: ['login', 'accounts'] },
  { paths: [PATHS.registerCallback], screens: ['registration'] },
  { paths: [PATHS.consent, PATHS.consentAccept, PATHS.consentReject], screens: ['consent'] },
  { paths: [PATHS.logout, PATHS.logoutAccept, PATHS.logoutReject, PATHS.logoutCallback], screens: ['logout'] },
  { paths: [PATHS.error], screens: ['oauth_error'] },
  { paths: /^\/mfa\/(?:verify|enrol-[a-z\d-]+)$/, screens: ['mfa_verification'] },
  { paths: [PATHS.manage], screens: ['manage', 'manage_confirm'] },
  { paths: /^\/manage\/mfa(?:\/(?:remove|rename)-[a-z\d-]+)?$/, screens: ['manage_mfa', 'manage_confirm'] },
  {
    paths: /^\/manage\/mfa\/(?:register|replace)-[a-z\d-]+$/,
    screens: ['manage_factor', 'manage_confirm', 'manage_recovery_codes'],
  },
  { paths: [PATHS.manageRecoveryCodes], screens: ['manage_recovery_codes', 'manage_confirm'] },
  { paths: [PATHS.managePassword], screens: ['manage_password', 'manage_confirm'] },
  { paths: [PATHS.manageUsername], screens: ['manage_username', 'manage_confirm'] },
  { paths: /^\/manage\/oauth\/[a-z\d-]+\/(?:dis)?connect$/, screens: ['manage', 'manage_confirm'] },
  { paths: [PATHS.manageConfirm], screens: ['manage_confirm'] },
  { paths: [PATHS.passwordRequestForm, PATHS.passwordRequest], screens: ['password_request_form'] },
  { paths: [PATHS.passwordRequestStatus], screens: ['password_request_status'] },
  { paths: [PATHS.passwordResetForm, PATHS.passwordReset], screens: ['password_reset_form', 'password_reset_status'] },
  { paths: [PATHS.passwordResetStatus], screens: ['password_reset_status'] },
  { paths: [PATHS.mfaResetForm, PATHS.mfaReset], screens: ['mfa_reset_form', 'mfa_reset_status'] },
  { paths: [PATHS.mfaResetStatus], screens: ['mfa_reset_status'] },
  { paths: [PATHS.notMe, PATHS.notMeStatus], screens: ['not_me'] },
];

/**
 * @param path without the query
 * @param state the state object; only its keys count
 * @returns the screen to show. A `server_error` replaces any route (GEN-3); a path outside the table is an error page
 * (GEN-4).
 */
export function screenFor(path: string, state: KnownKeys | PageState): PageName {
  const keys: KnownKeys = state;
  if (keys.server_error) return 'server_error';
  if (path.startsWith(PATHS.manageError)) return 'manage_error';
  const route = SCREENS.find(({ paths }) => (paths instanceof RegExp ? paths.test(path) : paths.includes(path)));
  if (!route) return 'server_error';
  return route.screens.find((screen) => keys[screen]) ?? route.screens[0] ?? 'server_error';
}
