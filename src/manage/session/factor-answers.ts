/** What came of a factor, as a call says it. */
import type { RpcErrorCode } from '../../contract/rpc.js';
import { CallFailed } from '../../gateway/calls.js';
import type { Added, FactorVerdict } from '../../mfa/factor.js';

/** @returns recovery codes when it was the first factor. Throws CallFailed */
export function requireAdded(added: Added): string[] | undefined {
  switch (added.kind) {
    case 'added':
      return added.recoveryCodes;
    case 'refused':
      throw new CallFailed(added.code);
    case 'limited':
      throw new CallFailed('too many requests', { retryAfterSeconds: added.retryAfterSeconds });
  }
}

/** Throws CallFailed. A factor that was stopped for good looks like a wrong code: its owner has been told by mail. */
export function requireProven(verdict: FactorVerdict, codes: { refused: RpcErrorCode; missing: RpcErrorCode }): void {
  switch (verdict.kind) {
    case 'proven':
      return;
    case 'limited':
      throw new CallFailed('too many requests', { retryAfterSeconds: verdict.retryAfterSeconds });
    case 'missing':
      throw new CallFailed(codes.missing);
    case 'stopped':
    case 'refused':
      throw new CallFailed(codes.refused);
  }
}
