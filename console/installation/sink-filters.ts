/** Which sink is shown, and which of its events, as they stand in the address. Anything in an address may be typed by hand. */
import type { Delivery } from '../api/calls.js';

/** The server counts no further. */
export const MOST_COUNTED = 1000;

export interface SinkFilters {
  sink?: string | undefined;
  delivery?: Delivery['state'] | undefined;
  cursor?: string | undefined;
}

export const DELIVERY_STATES = ['waiting', 'delivered', 'dead'] as const satisfies readonly Delivery['state'][];

export const isDeliveryState = (given: unknown): given is Delivery['state'] => DELIVERY_STATES.some((state) => state === given);

/** @param given the parameters of the address */
export function readSinkFilters({ sink, delivery, cursor }: Readonly<Record<string, unknown>>): SinkFilters {
  return {
    ...(typeof sink === 'string' && /^[a-z0-9-]{1,40}$/.test(sink) ? { sink } : {}),
    ...(isDeliveryState(delivery) ? { delivery } : {}),
    ...(typeof cursor === 'string' && /^\d{1,15}$/.test(cursor) ? { cursor } : {}),
  };
}
