/** Maps the result of a factor set-up to an RPC answer. */
import { CallFailed } from '../../gateway/http/calls.js';
import type { SetUpResult } from '../../mfa/factor.port.js';

/** @returns recovery codes, if this was the first factor @throws CallFailed */
export function requireAdded(added: SetUpResult): string[] | undefined {
  switch (added.kind) {
    case 'added':
      return added.recoveryCodes;
    case 'refused':
      throw new CallFailed(added.code);
    case 'limited':
      throw new CallFailed('too many requests', { retryAfterSeconds: added.retryAfterSeconds });
  }
}
