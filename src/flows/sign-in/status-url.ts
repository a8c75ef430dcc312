import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import type { ReturnLink } from './flow-pages.js';

/** Longer addresses are cut off on their way by servers and proxies; then the status comes without a way back. */
const LONGEST_TICKET = 6000;

/** Where a form of a flow leads: what came of it, with the sealed way back into the sign-in that waits. */
export function statusUrl(path: string, status: string, back: ReturnLink | null): string {
  const query = new URLSearchParams({ [MANAGE_QUERY.status]: status });
  if (back && back.ticket.length <= LONGEST_TICKET) query.set(FIELDS.ticket, back.ticket);
  return `${path}?${query.toString()}`;
}
