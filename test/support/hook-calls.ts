/** Calls of the token hook as Hydra makes them. */
import type { OutgoingHttpHeaders } from 'node:http';
import { HOOK_KEY_HEADER, TOKEN_HOOK_PATH } from '../../src/operator/hooks/hook-key.js';
import { send, type OperatorAnswer } from './operator.js';

export function callHook(
  { url }: { url: string },
  key: string | undefined,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): Promise<OperatorAnswer> {
  const port = Number(new URL(url).port);
  const own = { 'content-type': 'application/json; charset=UTF-8', [HOOK_KEY_HEADER]: key, ...headers };
  return send({ method: 'POST', port, path: TOKEN_HOOK_PATH, body, headers: own });
}
