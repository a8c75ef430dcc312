/** Which terms an account still has to accept. A pure function, because the account contains what it has accepted. */
import type { Terms } from '../../config/value-types.js';
import type { Account } from '../account/account.js';

/** @param clientId null for terms that every client asks for */
export function findOpenTerms(
  { acceptedTerms = {} }: Pick<Account, 'acceptedTerms'>,
  { terms: all, now }: { terms: readonly Terms[]; now: Date },
  clientId: string | null,
): Terms[] {
  return all.filter(({ id, version, clients, from }) => {
    if (clients && (clientId === null || !clients.includes(clientId))) return false;
    if (from && from > now) return false;
    // The id may be the name of a member of every object, such as `constructor`.
    return !Object.hasOwn(acceptedTerms, id) || acceptedTerms[id]?.includes(version) !== true;
  });
}
