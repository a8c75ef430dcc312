/** Registrations in progress, in memory. Each is bound to the browser that opened its ticket. */
import { randomBytes } from 'node:crypto';
import type { Ticket } from './gateway-tickets.js';

/** Form values by field name. */
export type FormValues = Readonly<Record<string, string>>;

export interface PendingRegistration {
  id: string;
  browser: string;
  ticket: Ticket;
  values: FormValues;
}

const LIMIT = 1000;

export class PendingRegistrations {
  readonly #registrations = new Map<string, PendingRegistration>();

  /** A second ticket of the same sign-in in the same browser continues the registration and keeps its values. */
  begin(browser: string, ticket: Ticket): PendingRegistration {
    const previousRegistration = [...this.#registrations.values()].find(
      (registration) => registration.browser === browser && registration.ticket.txn === ticket.txn,
    );
    const registration = {
      id: previousRegistration?.id ?? createId(),
      browser,
      ticket,
      values: previousRegistration?.values ?? {},
    };
    this.#registrations.set(registration.id, registration);
    const [oldestId] = this.#registrations.keys();
    if (this.#registrations.size > LIMIT && oldestId !== undefined) this.#registrations.delete(oldestId);
    return registration;
  }

  find(id: string, browser: string | undefined): PendingRegistration | null {
    const registration = this.#registrations.get(id);
    return registration && registration.browser === browser ? registration : null;
  }
}

export function createId(): string {
  return randomBytes(32).toString('base64url');
}
