/** Compares the scopes that a person has granted to a client with the scopes that the client requests now. Pure functions. */
import type { Consenter } from '../../accounts/sessions/consent-records.js';
import { toNames } from '../../contract/scopes.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';

type RequestedScopes = Pick<ConsentRequest, 'requestedScope'>;
type GrantedScopes = Pick<Consenter, 'granted'>;

/** @returns the requested scopes that were granted before; the two names of one permission (`toNames`) count as one */
export function findGranted({ requestedScope }: RequestedScopes, { granted }: GrantedScopes): string[] {
  return requestedScope.filter((scope) => toNames(scope).some((name) => granted.includes(name)));
}

/** @param shownScopes scopes that a page showed as granted before @returns false if the grant of one of them has ended since */
export function isCurrent(shownScopes: readonly string[], request: RequestedScopes, consenter: GrantedScopes): boolean {
  const grantedScopes = findGranted(request, consenter);
  return shownScopes.every((scope) => grantedScopes.includes(scope));
}

/**
 * Whether Foyer accepts a `skip` of Hydra. Hydra also remembers consents from before Foyer stored grants. If there are grants,
 * they have to cover the request. Without grants, the skip is not accepted if the person ever removed access: a redirect that the browser
 * followed at that moment can restore the removed consent at Hydra.
 */
export function isRemembered(request: RequestedScopes, { granted, removed }: Pick<Consenter, 'granted' | 'removed'>): boolean {
  if (granted.length === 0) return !removed;
  return findGranted(request, { granted }).length === request.requestedScope.length;
}

/** @param scopes granted by the answer @returns which grants are added, used again, or end because they were refused */
export function findChanges(
  scopes: readonly string[],
  { requestedScope }: RequestedScopes,
  { granted }: GrantedScopes,
): { added: string[]; used: string[]; refused: string[] } {
  const isIn = (list: readonly string[]) => (scope: string) => toNames(scope).some((name) => list.includes(name));
  const requestedGrants = granted.filter(isIn(requestedScope));
  return {
    added: scopes.filter((scope) => !granted.includes(scope)),
    used: requestedGrants.filter(isIn(scopes)),
    refused: requestedGrants.filter((scope) => !isIn(scopes)(scope)),
  };
}
