/** What a person has granted to a client before, compared with what the client requests now. Pure. */
import type { Consenter } from '../../accounts/sessions/consent-records.js';
import { toNames } from '../../contract/scopes.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';

type Requested = Pick<ConsentRequest, 'requestedScope'>;
type Granted = Pick<Consenter, 'granted'>;

/** @returns the requested scopes that were granted before, under one name of the permission or the other */
export function grantedBefore({ requestedScope }: Requested, { granted }: Granted): string[] {
  return requestedScope.filter((scope) => toNames(scope).some((name) => granted.includes(name)));
}

/** @param shown what a page has shown as granted before @returns false if some of it has ended since */
export function isCurrent(shown: readonly string[], request: Requested, consenter: Granted): boolean {
  const granted = grantedBefore(request, consenter);
  return shown.every((scope) => granted.includes(scope));
}

/**
 * Whether a `skip` of Hydra counts. It knows the consents from before there were grants here. Where there are some,
 * they have to cover the request, and where access was ever taken away nothing else counts: a redirect that was under way then
 * brings back a consent there.
 */
export function isRemembered(request: Requested, { granted, removed }: Pick<Consenter, 'granted' | 'removed'>): boolean {
  if (granted.length === 0) return !removed;
  return grantedBefore(request, { granted }).length === request.requestedScope.length;
}

/** What an answer that gives these scopes changes: the scopes by what becomes of their grants. */
export function changesBy(
  scopes: readonly string[],
  { requestedScope }: Requested,
  { granted }: Granted,
): { added: string[]; used: string[]; refused: string[] } {
  const named = (list: readonly string[]) => (scope: string) => toNames(scope).some((name) => list.includes(name));
  const concerned = granted.filter(named(requestedScope));
  return {
    added: scopes.filter((scope) => !granted.includes(scope)),
    used: concerned.filter(named(scopes)),
    refused: concerned.filter((scope) => !named(scopes)(scope)),
  };
}
