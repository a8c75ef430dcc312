/** Reads the result of a factor set-up, for the forms and the calls. */
import { CallFailed } from '../../gateway/http/calls.js';
import type { SetUpResult } from '../../mfa/factor.port.js';

/** @returns recovery codes, if this was the first second factor @throws CallFailed */
export function requireAdded(result: SetUpResult): string[] | undefined {
  switch (result.kind) {
    case 'added':
      return result.recoveryCodes;
    case 'refused':
      throw new CallFailed(result.code);
    case 'limited':
      throw new CallFailed('too many requests', { retryAfterSeconds: result.retryAfterSeconds });
  }
}
