import type { SetUpVerdict } from '../accounts/limits/factor-attempts.js';
import type { RpcErrorCode } from '../contract/rpc.js';
import type { SetUpResult } from './factor.port.js';

/** The result of a set-up whose code was not accepted. Waiting does not end a stop, so it has no `retryAfterSeconds`. */
export function toSetUpRefusal(
  verdict: Exclude<SetUpVerdict<unknown>, { kind: 'proven' }>,
  refusedCode: RpcErrorCode,
): Exclude<SetUpResult, { kind: 'added' }> {
  switch (verdict.kind) {
    case 'limited':
      return verdict;
    case 'stopped':
      return { kind: 'refused', code: 'factor unavailable' };
    case 'untyped':
    case 'refused':
      return { kind: 'refused', code: refusedCode };
  }
}
