/**
 * A typed client of the operator API, with the paths, parameters and answers of the OpenAPI description. An error answer is a value
 * (`error`), not an exception.
 */
import createClient, { type Client } from 'openapi-fetch';
import { REASON_HEADER } from '../wire.js';
import type { paths } from './operator-api.js';

export type OperatorCalls = Client<paths>;

export interface OperatorAccess {
  /** Address of the operator API, without its paths. */
  url: string;
  token: string;
  /** Why the calls are made, for the audit log: 1 to 500 characters. */
  reason?: string;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Each call throws the error of `fetch` if nothing answers, and SyntaxError if a successful answer should be JSON and is not. */
export function operatorCalls({ url, token, reason, fetch }: OperatorAccess): OperatorCalls {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(reason === undefined ? {} : { [REASON_HEADER]: encodeURIComponent(reason) }),
  };
  // The token is sent to the given address only, never to a redirect target.
  const options = { baseUrl: url, headers, redirect: 'manual' } as const;
  return createClient<paths>({ ...options, ...(fetch ? { fetch } : {}) });
}

/** Builds the options of a call that sends one JSON object on each line. The OpenAPI description contains only the type of one line. */
export function linesBody(lines: readonly string[]) {
  return {
    body: lines as never,
    bodySerializer: () => lines.map((line) => `${line}\n`).join(''),
    headers: { 'Content-Type': 'application/x-ndjson' },
  };
}
