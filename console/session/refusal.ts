/** Why a sign-in was refused, as the address states it. Anybody can write an address, so values in another format are ignored. */
import { isUuid } from '../people/people-filters.js';

export interface Refusal {
  reason?: string;
  /** Id of the request. */
  request?: string;
}

/** Reads the refusal from the parameters of the address. */
export function readRefusal({ reason, request }: Readonly<Record<string, unknown>>): Refusal {
  return {
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof request === 'string' && isUuid(request) ? { request } : {}),
  };
}
