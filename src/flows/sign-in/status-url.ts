import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { isDeviceRequest } from '../../hydra/authorization-request.js';
import type { ReturnLink } from './flow-pages.js';

/**
 * Servers and proxies refuse longer addresses. Without the ticket, a status page has no return link, except after a registration: that
 * page also reads the ticket in the cookie.
 */
const MAX_TICKET_LENGTH = 6000;

/** Chooses where the person goes after a refusal. After a refused device request, Hydra would show JSON instead of a page. */
export function chooseRefusalUrl(requestUrl: string, hydraUrl: string, status: 'denied' | 'unmet' | 'failed'): string {
  return isDeviceRequest(requestUrl) ? `${PATHS.deviceDenied}?${MANAGE_QUERY.status}=${status}` : hydraUrl;
}

/** Address of a flow's status page, with the return ticket of the waiting sign-in. */
export function toStatusUrl(path: string, status: string, returnLink: ReturnLink | null): string {
  const query = new URLSearchParams({ [MANAGE_QUERY.status]: status });
  if (returnLink && returnLink.ticket.length <= MAX_TICKET_LENGTH) query.set(FIELDS.ticket, returnLink.ticket);
  return `${path}?${query.toString()}`;
}
