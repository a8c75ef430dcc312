/**
 * A typed client of the operator API: paths, parameters and answers are those of the OpenAPI description. An error
 * answer is a value (`error`), not an exception.
 */
import createClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { paths } from './operator-api.js';

export type OperatorCalls = Client<paths>;

export interface OperatorAccess {
  /** Address of the operator API, without its paths. */
  url: string;
  token: string;
}

/** @throws TypeError of fetch from each call if nothing answers, SyntaxError if the answer is no JSON */
export function operatorCalls({ url, token }: OperatorAccess): OperatorCalls {
  // The token is sent to the given address only, never to a redirect target.
  return createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` }, redirect: 'manual' });
}

/** Options of a call that sends lines: one JSON object on each, which the description gives as one object. */
export function linesBody(lines: readonly string[]) {
  return {
    body: lines as never,
    bodySerializer: () => lines.map((line) => `${line}\n`).join(''),
    headers: { 'Content-Type': 'application/x-ndjson' },
  };
}
