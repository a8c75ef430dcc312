import type { SetUpVerdict } from '../accounts/limits/factor-attempts.js';
import type { RpcErrorCode } from '../contract/rpc.js';
import type { SetUpResult } from './factor.port.js';

/** The result of a set-up whose code was not accepted. After a stop, there is no `retryAfterSeconds`, because waiting does not end it. */
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
