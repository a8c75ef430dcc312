/** Which terms an account still has to accept. Pure functions, because the account contains what it has accepted. */
import type { Terms } from '../../config/value-types.js';
import type { Account } from '../account/account.js';

interface TermsNow {
  terms: readonly Terms[];
  now: Date;
}

/** @param clientId if null, only terms that every client requires are found */
export function findOpenTerms(account: Pick<Account, 'acceptedTerms'>, termsNow: TermsNow, clientId: string | null): Terms[] {
  return findUnacceptedTerms(account, termsNow).filter(
    ({ clients }) => !clients || (clientId !== null && clients.includes(clientId)),
  );
}

/** Finds the terms in force that the account has not accepted in their current version, whichever clients require them. */
export function findUnacceptedTerms(
  { acceptedTerms = {} }: Pick<Account, 'acceptedTerms'>,
  { terms: allTerms, now }: TermsNow,
): Terms[] {
  return allTerms.filter(({ id, version, from }) => {
    if (from && from > now) return false;
    // The id may be the name of a member of every object, such as `constructor`.
    return !Object.hasOwn(acceptedTerms, id) || acceptedTerms[id]?.includes(version) !== true;
  });
}
