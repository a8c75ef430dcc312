/** People who are filling in the form. Kept in memory, each bound to the browser that brought the ticket. */
import { randomBytes } from 'node:crypto';
import type { Ticket } from './gateway-tickets.js';

/** What was typed, by name of the field. */
export type Typed = Readonly<Record<string, string>>;

export interface RequestContext {
  id: string;
  browser: string;
  ticket: Ticket;
  typed: Typed;
}

const MOST = 1000;

export class Visits {
  readonly #visits = new Map<string, RequestContext>();

  /** A further ticket of the same sign-in goes on with what was typed. */
  begin(browser: string, ticket: Ticket): RequestContext {
    const before = [...this.#visits.values()].find((visit) => visit.browser === browser && visit.ticket.txn === ticket.txn);
    const visit = { id: before?.id ?? randomId(), browser, ticket, typed: before?.typed ?? {} };
    this.#visits.set(visit.id, visit);
    const [oldest] = this.#visits.keys();
    if (this.#visits.size > MOST && oldest !== undefined) this.#visits.delete(oldest);
    return visit;
  }

  find(id: string, browser: string | undefined): RequestContext | null {
    const visit = this.#visits.get(id);
    return visit && visit.browser === browser ? visit : null;
  }
}

export function randomId(): string {
  return randomBytes(32).toString('base64url');
}
