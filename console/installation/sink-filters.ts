/** The sink and the filters of its events, as the address contains them. An address may be typed by hand, so invalid values are ignored. */
import type { Delivery } from '../api/calls.js';

/** The server stops counting above this number. */
export const MOST_COUNTED = 1000;

export interface SinkFilters {
  sink?: string | undefined;
  delivery?: Delivery['state'] | undefined;
  cursor?: string | undefined;
}

export const DELIVERY_STATES = ['waiting', 'delivered', 'dead'] as const satisfies readonly Delivery['state'][];

export const isDeliveryState = (value: unknown): value is Delivery['state'] => DELIVERY_STATES.some((state) => state === value);

export function readSinkFilters({ sink, delivery, cursor }: Readonly<Record<string, unknown>>): SinkFilters {
  return {
    ...(typeof sink === 'string' && /^[a-z0-9-]{1,40}$/.test(sink) ? { sink } : {}),
    ...(isDeliveryState(delivery) ? { delivery } : {}),
    ...(typeof cursor === 'string' && /^\d{1,15}$/.test(cursor) ? { cursor } : {}),
  };
}
