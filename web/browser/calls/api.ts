/**
 * The calls of the account area and of a set-up at login. Each answer brings the token of the next call (RPC-8), so they
 * go out one after the other. What cannot be said on the page leads away from it (ERR-2).
 */
import { CALL_HEADERS } from '../../../src/contract/form-fields.js';
import { PATHS } from '../../../src/contract/paths.js';
import { NEVER_INLINE } from '../../../src/contract/rpc.js';
import { leaveFor } from '../address.js';
import { readAnswer, sendCall } from './call.js';
import type { Answer, Call } from './call.js';

/** For so long the server takes the same token again; it keeps the answer that was lost from ending the session. */
const REPEAT_WITHIN_MS = 10_000;

/** @returns the address that the page is left for, or null for a code that it can say itself */
export type WayOut = (code: string) => string | null;

export class AreaCalls {
  #token: string;
  readonly #wayOut: WayOut;
  #last: Promise<unknown> = Promise.resolve();

  constructor(token: string, wayOut: WayOut) {
    this.#token = token;
    this.#wayOut = wayOut;
  }

  get<Body>(name: string): Promise<Answer<Body>> {
    return this.#queue(() => this.#call({ method: 'GET', path: name }));
  }

  post<Body>(name: string, body?: object): Promise<Answer<Body>> {
    return this.#queue(() => this.#call({ method: 'POST', path: name, body }));
  }

  put<Body>(name: string, body: object): Promise<Answer<Body>> {
    return this.#queue(() => this.#call({ method: 'PUT', path: name, body }));
  }

  #queue<Body>(call: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
    const result = this.#last.then(call);
    this.#last = result;
    return result;
  }

  async #call<Body>(call: Omit<Call, 'headers'>): Promise<Answer<Body>> {
    const bearing: Call = { ...call, path: PATHS.manageRpc + call.path, headers: { authorization: `Bearer ${this.#token}` } };
    const begun = performance.now();
    let response = await sendCall(bearing);
    if (!response && performance.now() - begun < REPEAT_WITHIN_MS) response = await sendCall(bearing);
    this.#token = response?.headers.get(CALL_HEADERS.nextToken) ?? this.#token;
    const answer = await readAnswer<Body>(response);
    const wayOut = answer.kind === 'failed' ? this.#wayOut(answer.code) : null;
    return wayOut === null ? answer : leaveFor(wayOut);
  }
}

/** @param page where the server asks for a fresh proof, and leads back from; null where the page goes there by itself */
export function wayOutOfArea(page: string | null): WayOut {
  return (code) => {
    if (NEVER_INLINE.includes(code)) return PATHS.manageError + code;
    return code === 'proof required' ? page : null;
  };
}
