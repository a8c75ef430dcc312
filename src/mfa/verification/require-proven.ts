/** What came of a try with a factor, as a call says it: at a sign-in and in the account area alike. */
import type { RpcErrorCode } from '../../contract/rpc.js';
import { CallFailed } from '../../gateway/http/calls.js';
import type { TryVerdict } from './pending-sign-in.js';

/** Throws CallFailed. A factor that was stopped for good looks like a wrong code: its owner has been told by mail. */
export function requireProven(verdict: TryVerdict, codes: { refused: RpcErrorCode; missing: RpcErrorCode }): void {
  switch (verdict.kind) {
    case 'proven':
      return;
    case 'closed':
      throw new CallFailed('unauthorized');
    case 'limited':
      throw new CallFailed('too many requests', { retryAfterSeconds: verdict.retryAfterSeconds });
    case 'missing':
      throw new CallFailed(codes.missing);
    case 'stopped':
    case 'refused':
      throw new CallFailed(codes.refused);
  }
}
