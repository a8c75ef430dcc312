import type { SetUpVerdict } from '../accounts/limits/factor-attempts.js';
import type { RpcErrorCode } from '../contract/rpc.js';
import type { Added } from './factor.port.js';

/** The answer to a code that did not finish a set-up. No wait ends a stop, so a stopped one names none. */
export function refusedSetUp(
  verdict: Exclude<SetUpVerdict<unknown>, { kind: 'proven' }>,
  refused: RpcErrorCode,
): Exclude<Added, { kind: 'added' }> {
  switch (verdict.kind) {
    case 'limited':
      return verdict;
    case 'stopped':
      return { kind: 'refused', code: 'factor unavailable' };
    case 'untyped':
    case 'refused':
      return { kind: 'refused', code: refused };
  }
}
