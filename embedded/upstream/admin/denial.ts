/** The body with which the gateway rejects a login or a consent. */
import type { Denial } from '../flow/flow.js';
import type { DecodedFields } from '../http/json-body.js';

export const DENIAL_SHAPE = {
  type: 'flow.RequestDeniedError',
  fields: { error: 'string', error_description: 'string', error_hint: 'string', error_debug: 'string', status_code: 'int' },
} as const;

/** Drops `error_debug`, because no answer contains it. */
export function toDenial(body: DecodedFields<(typeof DENIAL_SHAPE)['fields']>): Denial {
  return {
    error: body.error ?? '',
    description: body.error_description ?? '',
    hint: body.error_hint ?? '',
    status: body.status_code ?? 0,
  };
}
