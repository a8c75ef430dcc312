/** Addresses of the screens of a login challenge. */
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';

/** The login screen, which handles every fault of a challenge; an empty one included. */
export function loginUrl(challenge: string): string {
  return challenge === '' ? PATHS.login : withChallenge(PATHS.login, challenge);
}

/** @param query which factor the page shows */
export function secondStepUrl(challenge: string, query: Readonly<Record<string, string>> = {}): string {
  return withChallenge(PATHS.mfaVerify, challenge, query);
}

export function offerUrl(challenge: string): string {
  return withChallenge(PATHS.passkeyOffer, challenge);
}

export function passwordRequestUrl(challenge: string): string {
  return withChallenge(PATHS.passwordRequestForm, challenge);
}

function withChallenge(path: string, challenge: string, query: Readonly<Record<string, string>> = {}): string {
  return `${path}?${new URLSearchParams({ [FIELDS.loginChallenge]: challenge, ...query }).toString()}`;
}
