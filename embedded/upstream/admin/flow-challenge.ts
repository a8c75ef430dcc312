/** Finds the flow of an admin call by its challenge, and in legacy mode refuses another answer once an answer was redeemed. */
import type { Core } from '../core.js';
import type { Flow } from '../flow/flow.js';
import type { Exchange } from '../http/exchange.js';
import { toConflict, toNotFound, OAuthError } from '../oauth-error.js';

/** @throws OAuthError if the parameter is missing */
export function toChallenge({ query }: Exchange, request: 'login' | 'consent'): string {
  const challenge = query.first(`${request}_challenge`) || query.first('challenge');
  if (challenge !== '') return challenge;
  throw OAuthError.create('invalid_request', "Query parameter 'challenge' is not defined but should have been.");
}

/** @throws OAuthError 404 if the challenge is unknown, 401 if it has expired */
export function requireFlow(core: Core, step: 'login_challenge' | 'consent_challenge', challenge: string): Flow {
  const flow = core.flows.decode(step, challenge);
  if (!flow) throw toNotFound();
  return flow;
}

/**
 * Refuses another answer to a request whose answer was redeemed. Only legacy mode records these requests; since 2.2 Hydra accepts
 * repeated answers.
 */
export function refuseHandled(core: Core, id: string, request: 'login' | 'consent'): void {
  if (core.store.handled.has(id)) {
    throw toConflict(
      'Conflict',
      `Unable to process the requested resource because of conflict in the current state The ${request} request was already used and can no longer be changed.`,
    );
  }
}
