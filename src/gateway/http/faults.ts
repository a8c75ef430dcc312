/**
 * Faults that a person cannot correct on a form, with their status. `fault.filter.ts` writes the
 * answers; a thrown value that it cannot map becomes a 500 without details.
 */
import type { ProviderRefusal, ServerErrorState, SourceRefusal } from '../../contract/page-state.js';

export type FaultCode = Exclude<ServerErrorState['code'], SourceRefusal | ProviderRefusal>;

export const FAULT_STATUS: Readonly<Record<FaultCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  page_not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  unsupported: 415,
  app_settings: 403,
  limited: 429,
  internal: 500,
  unavailable: 503,
};

export class Fault extends Error {
  /**
   * @param reason for the log, in English, without secrets
   * @param hints `retryAfterSeconds`: with `limited` and `unavailable`; `allow`: with `method_not_allowed`
   */
  constructor(
    readonly code: FaultCode,
    reason: string,
    readonly hints: { retryAfterSeconds?: number; allow?: string } = {},
  ) {
    super(reason);
    this.name = 'Fault';
  }
}
