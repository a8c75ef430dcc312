/** The gateway's pages to which an upstream redirects people. */
import { PATHS } from '../../src/contract/paths.js';
import type { UpstreamUrls } from './settings.js';

/** @param origin of the gateway, as browsers see it */
export function buildGatewayUrls(origin: string) {
  return {
    login: origin + PATHS.login,
    registration: origin + PATHS.register,
    consent: origin + PATHS.consent,
    logout: origin + PATHS.logout,
    error: origin + PATHS.error,
    deviceVerification: origin + PATHS.device,
    deviceSuccess: origin + PATHS.deviceSuccess,
    postLogoutRedirect: origin + PATHS.logoutCallback,
  } satisfies UpstreamUrls;
}
