import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import type { ReturnLink } from './flow-pages.js';

/** Servers and proxies cut longer addresses; then the status page has no return link. */
const LONGEST_TICKET = 6000;

/** Address of a flow's status page, with the return ticket of the waiting sign-in. */
export function statusUrl(path: string, status: string, back: ReturnLink | null): string {
  const query = new URLSearchParams({ [MANAGE_QUERY.status]: status });
  if (back && back.ticket.length <= LONGEST_TICKET) query.set(FIELDS.ticket, back.ticket);
  return `${path}?${query.toString()}`;
}
