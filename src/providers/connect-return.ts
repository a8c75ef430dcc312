/** Adds the result of connecting a provider to the return address (MAN-9, MAN-10), which has already been validated. */
import type { ManageStatus } from '../contract/manage-state.js';
import { MANAGE_QUERY, SERVER_QUERY } from '../contract/form-fields.js';

/** Foyer's own codes, because the error texts of a provider are never passed on (S-73c). */
export type ConnectError = 'access_denied' | 'refused' | 'unavailable' | 'expired' | 'other_connected' | 'limited' | 'frozen';

export function buildConnectSuccessUrl(returnTo: string): string {
  return setParameter(returnTo, MANAGE_QUERY.status, 'oauth-connect-success' satisfies ManageStatus);
}

export function buildConnectFailureUrl(returnTo: string, error: ConnectError): string {
  return setParameter(returnTo, SERVER_QUERY.oauthError, error);
}

/** @param address absolute, or a path */
function setParameter(address: string, name: string, value: string): string {
  const [base = '', fragment] = address.split(/#(.*)/s);
  const [path = '', query = ''] = base.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  for (const oldName of [MANAGE_QUERY.status, SERVER_QUERY.oauthError]) parameters.delete(oldName);
  parameters.set(name, value);
  return `${path}?${parameters.toString()}${fragment === undefined ? '' : `#${fragment}`}`;
}
