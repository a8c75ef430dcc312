/**
 * Sends the calls of the console. A call that needs a sign-in or a fresh proof waits for it and is then sent again, so that nothing
 * that the operator typed is lost.
 */
import { proofRequests } from '../session/proof-requests.js';
import { UnreachableError, toApiError, type ApiError } from './api-error.js';

/** The server accepts a call with the cookie only if the call has this header, which other sites cannot send. */
export const CONSOLE_HEADER = 'X-Foyer-Console';
/** Marks a call that the page makes on its own, so that the call does not keep an idle session alive. */
export const BACKGROUND = { [CONSOLE_HEADER]: 'background' } as const;

/** Names the operator whom the page shows: all tabs of a browser share the cookie, and somebody else may have signed in since. */
const OPERATOR_HEADER = 'X-Foyer-Operator';

/** By both clocks: one stops while the computer sleeps, and the other can be set back. */
let lastUse = { ticks: 0, date: Date.now() };
let shownOperator: string | undefined;
let onForbidden: () => void = () => undefined;

/** @returns the time since the operator last caused a call, in milliseconds */
export const getIdleTime = (): number => Math.max(performance.now() - lastUse.ticks, Date.now() - lastUse.date);

/** @param listener called if the server answers `forbidden`, mostly because a right is missing */
export function listenForForbidden(listener: () => void): void {
  onForbidden = listener;
}

/** @param accountId the account of the operator whom the page shows */
export function setShownOperator(accountId: string): void {
  shownOperator = accountId;
}

/** @throws ApiError for every answer that is not successful, UnreachableError if there is no answer, the reason of an abort */
export async function sendOnce(request: Request): Promise<Response> {
  const response = await fetch(request).catch((cause: unknown) => {
    if (request.signal.aborted) throw cause;
    throw new UnreachableError(cause);
  });
  if (response.ok) return response;
  throw await toApiError(response);
}

/** Like `sendOnce`, but asks for a sign-in or a proof if the server requires one, and then sends the call again. */
export async function send(request: Request): Promise<Response> {
  if (request.headers.get(CONSOLE_HEADER) !== 'background') lastUse = { ticks: performance.now(), date: Date.now() };
  if (shownOperator !== undefined) request.headers.set(OPERATOR_HEADER, shownOperator);
  for (;;) {
    try {
      // A body can be sent only once, so each try sends a copy.
      return await sendOnce(request.clone());
    } catch (error) {
      if (isForbidden(error)) onForbidden();
      const kind = findRequiredProof(error);
      if (kind === null || !(await proofRequests.ask(kind))) throw error;
    }
  }
}

function isForbidden(error: unknown): boolean {
  const { status, code } = (error ?? {}) as Partial<ApiError>;
  return status === 403 && code === 'forbidden';
}

function findRequiredProof(error: unknown): 'signed_out' | 'proof_outdated' | null {
  const { status, code } = (error ?? {}) as Partial<ApiError>;
  if (status === 401 && code === 'signed_out') return 'signed_out';
  if (status === 403 && code === 'proof_outdated') return 'proof_outdated';
  return null;
}
