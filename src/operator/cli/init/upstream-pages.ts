/** The pages of Foyer to which Hydra redirects, and their settings in the environment and the configuration file of Hydra. */
import { PATHS } from '../../../contract/paths.js';

export interface ConfiguredPage {
  path: string;
  setting: string;
  /** Key under `urls` in the configuration file. */
  key: string;
}

export const SIGN_IN_PAGES = {
  login: { path: PATHS.login, setting: 'URLS_LOGIN', key: 'login' },
  registration: { path: PATHS.register, setting: 'URLS_REGISTRATION', key: 'registration' },
  consent: { path: PATHS.consent, setting: 'URLS_CONSENT', key: 'consent' },
  logout: { path: PATHS.logout, setting: 'URLS_LOGOUT', key: 'logout' },
  error: { path: PATHS.error, setting: 'URLS_ERROR', key: 'error' },
  postLogout: { path: PATHS.logoutCallback, setting: 'URLS_POST_LOGOUT_REDIRECT', key: 'post_logout_redirect' },
} as const satisfies Record<string, ConfiguredPage>;

/**
 * Pages for devices, to which Hydra redirects from v25.4 on. An older Hydra ignores the variables, but does not start with these keys in
 * its file.
 */
export const DEVICE_PAGES = {
  deviceVerification: { path: PATHS.device, setting: 'URLS_DEVICE_VERIFICATION', key: 'device.verification' },
  deviceSuccess: { path: PATHS.deviceSuccess, setting: 'URLS_DEVICE_SUCCESS', key: 'device.success' },
} as const satisfies Record<string, ConfiguredPage>;
