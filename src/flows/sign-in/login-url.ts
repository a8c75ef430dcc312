/** Addresses of the screens of a login challenge. */
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';

/** The login screen, which handles every fault of a challenge; an empty one included. */
export function loginUrl(challenge: string): string {
  return challenge === '' ? PATHS.login : withChallenge(PATHS.login, challenge);
}

export function secondStepUrl(challenge: string): string {
  return withChallenge(PATHS.mfaVerify, challenge);
}

export function offerUrl(challenge: string): string {
  return withChallenge(PATHS.passkeyOffer, challenge);
}

export function passwordRequestUrl(challenge: string): string {
  return withChallenge(PATHS.passwordRequestForm, challenge);
}

function withChallenge(path: string, challenge: string): string {
  return `${path}?${FIELDS.loginChallenge}=${encodeURIComponent(challenge)}`;
}
