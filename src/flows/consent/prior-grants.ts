/** Compares the scopes that a person has granted to a client with the scopes that the client requests now. Pure functions. */
import type { GrantChange } from '../../accounts/sessions/consent-grants.js';
import type { Consenter } from '../../accounts/sessions/consent-records.js';
import { toNames } from '../../contract/scopes.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';

type RequestedScopes = Pick<ConsentRequest, 'requestedScope'>;
type GrantedScopes = Pick<Consenter, 'grantedScopes'>;

/** @returns the requested scopes that were granted before; the two names of one permission (`toNames`) count as one */
export function findGrantedScopes({ requestedScope }: RequestedScopes, { grantedScopes }: GrantedScopes): string[] {
  return requestedScope.filter((scope) => toNames(scope).some((name) => grantedScopes.includes(name)));
}

/** @param shownScopes scopes that a page showed as granted before @returns whether all of them are requested and granted now */
export function isCurrent(shownScopes: readonly string[], request: RequestedScopes, consenter: GrantedScopes): boolean {
  const currentScopes = findGrantedScopes(request, consenter);
  return shownScopes.every((scope) => currentScopes.includes(scope));
}

/**
 * Whether Foyer accepts a `skip` of Hydra. Hydra also remembers consents from before Foyer stored grants. If there are grants, they have
 * to cover the request. Without grants, the skip is not accepted if the access of the client was ever removed: a redirect that the browser
 * followed at that moment can restore the removed consent at Hydra.
 */
export function isRemembered(
  request: RequestedScopes,
  { grantedScopes, lastRemoval }: Pick<Consenter, 'grantedScopes' | 'lastRemoval'>,
): boolean {
  if (grantedScopes.length === 0) return lastRemoval === null;
  return findGrantedScopes(request, { grantedScopes }).length === request.requestedScope.length;
}

/** @param scopes granted by the answer @returns which grants are added, used again, or end because they were refused */
export function findChanges(
  scopes: readonly string[],
  { requestedScope }: RequestedScopes,
  { grantedScopes }: GrantedScopes,
): Pick<GrantChange, 'addedScopes' | 'usedScopes' | 'refusedScopes'> {
  const isIn = (list: readonly string[]) => (scope: string) => toNames(scope).some((name) => list.includes(name));
  const requestedGrants = grantedScopes.filter(isIn(requestedScope));
  return {
    addedScopes: scopes.filter((scope) => !grantedScopes.includes(scope)),
    usedScopes: requestedGrants.filter(isIn(scopes)),
    refusedScopes: requestedGrants.filter((scope) => !isIn(scopes)(scope)),
  };
}
