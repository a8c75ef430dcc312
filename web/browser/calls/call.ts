/** One RPC call with JSON. A failure is a value with an error code, never an exception. */
import type { PasswordFault } from '../../../src/contract/manage-state.js';
import { RPC_ERROR_STATUS, type RpcErrorCode } from '../../../src/contract/rpc.js';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: object | undefined;
}

/** `network` means that no answer was received, or a redirect. */
export interface CallFailure {
  kind: 'failed';
  code: RpcErrorCode | 'network';
  retryAfterSeconds?: number;
  /** Present with the code `password not strong enough`. */
  reasons?: readonly PasswordFault[];
}

export type Answer<Body> = { kind: 'answered'; body: Body } | CallFailure;

/** @returns null if no answer was received, or if the answer is a redirect */
export async function sendCall({ method, path, headers, body }: Call): Promise<Response | null> {
  try {
    return await fetch(path, {
      method,
      headers: { accept: 'application/json', ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'error',
    });
  } catch {
    return null;
  }
}

export async function readAnswer<Body>(response: Response | null): Promise<Answer<Body>> {
  if (!response) return { kind: 'failed', code: 'network' };
  const body = await readJson(response);
  if (response.ok) return { kind: 'answered', body: body as Body };
  const seconds = Number(response.headers.get('retry-after'));
  const { reasons } = (body ?? {}) as { reasons?: readonly PasswordFault[] };
  return { kind: 'failed', code: toCode(body), ...(seconds > 0 && { retryAfterSeconds: seconds }), ...(reasons && { reasons }) };
}

/** An empty body and a body that is not JSON are read as an object without members. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return (await response.json()) as unknown;
  } catch {
    return {};
  }
}

function toCode(body: unknown): RpcErrorCode {
  const code: unknown = (body as { error?: unknown } | null)?.error;
  return typeof code === 'string' && Object.keys(RPC_ERROR_STATUS).includes(code) ? (code as RpcErrorCode) : 'error';
}
