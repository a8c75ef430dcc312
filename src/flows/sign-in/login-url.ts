/** Addresses of the screens of a login challenge. */
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';

/** The login screen, which handles every fault of a challenge, including a missing challenge. */
export function toLoginUrl(challenge: string): string {
  return challenge === '' ? PATHS.login : addChallenge(PATHS.login, challenge);
}

/** @param query selects the factor that the page shows */
export function toSecondStepUrl(challenge: string, query: Readonly<Record<string, string>> = {}): string {
  return addChallenge(PATHS.mfaVerify, challenge, query);
}

/** @param trust confirms that the person trusts this browser (`TrustChoice`); absent if not */
export function toTaskUrl(challenge: string, trust?: string): string {
  return addChallenge(PATHS.loginTask, challenge, trust === undefined ? {} : { [FIELDS.trustBrowser]: trust });
}

export function toOfferUrl(challenge: string): string {
  return addChallenge(PATHS.passkeyOffer, challenge);
}

/** @param path a page of the sign-up */
export function toSignUpUrl(challenge: string, path: string = PATHS.registerDetails): string {
  return addChallenge(path, challenge);
}

export function toPasswordRequestUrl(challenge: string): string {
  return addChallenge(PATHS.passwordRequestForm, challenge);
}

/** The address that leads to a provider. @param query what the person entered on the login page */
export function toProviderUrl(provider: string, challenge: string, query: Readonly<Record<string, string>>): string {
  return addChallenge(`${PATHS.login}/${provider}`, challenge, query);
}

/** @param query `status=ask` shows the form for the username although a code was requested */
export function toCodeSignInUrl(challenge: string, query: Readonly<Record<string, string>> = {}): string {
  return addChallenge(PATHS.loginCode, challenge, query);
}

function addChallenge(path: string, challenge: string, query: Readonly<Record<string, string>> = {}): string {
  return `${path}?${new URLSearchParams({ [FIELDS.loginChallenge]: challenge, ...query }).toString()}`;
}
