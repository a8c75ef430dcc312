/** One total mapper from the errors of the parts to what the edge may say of them. */
import { AccountDisabled } from './accounts/account/account.errors.js';
import { ChallengeNotClaimed } from './accounts/sessions/challenge-records.js';
import { CredentialsFrozen } from './accounts/account/credential-freeze.js';
import { DatabaseUnavailable } from './database/database.errors.js';
import { Fault } from './gateway/http/faults.js';
import { UpstreamRefused, UpstreamUnavailable } from './hydra/hydra.errors.js';
import { RegistrationUnavailable } from './providers/registration/registration.errors.js';

const RETRY_AFTER_SECONDS = 5;

export function faultOf(error: unknown): Fault | null {
  if (error instanceof UpstreamUnavailable || error instanceof UpstreamRefused || error instanceof DatabaseUnavailable) {
    return new Fault('unavailable', `${error.name}: ${error.message}`, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  if (error instanceof RegistrationUnavailable) {
    return new Fault('unavailable', error.message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  const isRefused = [AccountDisabled, ChallengeNotClaimed, CredentialsFrozen].some((kind) => error instanceof kind);
  if (isRefused && error instanceof Error) return new Fault('forbidden', error.name);
  return null;
}
