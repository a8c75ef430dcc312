/**
 * Removes rows that are no longer usable. Code that reads a token, a remembered consent or the session of a browser also checks the
 * expiry itself. A consent that is not remembered disappears from the list of consents when its request has expired and its session
 * and its tokens have ended; Hydra keeps it until its janitor runs.
 */
import type { ConsentRow } from './rows.js';
import type { Store } from './store.js';
import type { Table } from './table.js';

/** @param requestTtlSeconds how long a flow can be redeemed; until then its row prevents a second redemption */
export function removeUnusableRows(store: Store, nowSeconds: number, requestTtlSeconds: number): void {
  deleteWhere(store.tokens, (token) => token.expiresAt <= nowSeconds);
  deleteWhere(store.sessions, (session) => session.expiresAt <= nowSeconds);
  deleteWhere(store.logouts, (logout) => logout.sweepAt <= nowSeconds);
  deleteWhere(store.handled, (handled) => handled.sweepAt <= nowSeconds);
  const applicableIds = findApplicableConsents(store, nowSeconds);
  deleteWhere(
    store.consents,
    (consent) =>
      consent.requestedAt + requestTtlSeconds <= nowSeconds &&
      // A logout needs the consent to notify the client.
      !store.sessions.has(consent.sessionId) &&
      store.tokens.listMatching('grantId', consent.consentId).length === 0 &&
      !applicableIds.has(consent.flowId),
  );
}

function deleteWhere<T extends object, K extends string>(table: Table<T, K>, isOver: (row: T) => boolean): void {
  const ids = [...table.entries()].filter(([, row]) => isOver(row)).map(([id]) => id);
  for (const id of ids) table.delete(id);
}

/**
 * Finds the remembered consents that can still apply. For each person and client these are the newest one that has not expired, and each
 * older one that expires later than all newer ones.
 */
function findApplicableConsents(store: Store, nowSeconds: number): Set<string> {
  const applicableIds = new Set<string>();
  const coveredEnds = new Map<string, number>();
  const consents = [...store.consents.entries()].map(([, row]) => row).filter(({ remember, skip }) => remember && !skip);
  for (const row of consents.sort((a, b) => b.requestedAt - a.requestedAt)) {
    const pair = JSON.stringify([row.clientId, row.subject]);
    const coveredEnd = coveredEnds.get(pair) ?? nowSeconds;
    if (findConsentEnd(row) <= coveredEnd) continue;
    coveredEnds.set(pair, findConsentEnd(row));
    applicableIds.add(row.flowId);
  }
  return applicableIds;
}

/** @returns the time in seconds at which a consent is no longer remembered; infinite if it has no duration */
export function findConsentEnd(consent: ConsentRow): number {
  return consent.rememberFor > 0 ? consent.requestedAt + consent.rememberFor : Number.POSITIVE_INFINITY;
}
