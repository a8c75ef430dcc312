/** Maps results of factors to RPC answers, during a sign-in and in the account area. */
import type { Amr } from '../contract/authentication.js';
import type { FactorSetupState } from '../contract/mfa-state.js';
import type { RpcErrorCode } from '../contract/rpc.js';
import { CallFailed } from '../gateway/http/calls.js';
import type { BeginResult, FactorVerdict } from './factor.port.js';

/**
 * A stopped factor is answered like a wrong code; its owner was notified by mail.
 * @returns the proven methods, if they are more than the `amr` of the kind
 * @throws CallFailed
 */
export function requireProven(
  verdict: FactorVerdict | { kind: 'closed' },
  codes: { refused: RpcErrorCode; missing: RpcErrorCode },
): readonly Amr[] | undefined {
  switch (verdict.kind) {
    case 'proven':
      return verdict.methods;
    case 'closed':
      throw new CallFailed('unauthorized');
    case 'limited':
      throw new CallFailed('too many requests', { retryAfterSeconds: verdict.retryAfterSeconds });
    case 'missing':
      throw new CallFailed(codes.missing);
    case 'stopped':
    case 'untyped':
    case 'refused':
      throw new CallFailed(codes.refused);
  }
}

/** @returns the RPC answer @throws CallFailed, with `missingCode` if there is no such factor */
export function requireBegun(result: BeginResult | null | undefined, missingCode: RpcErrorCode): FactorSetupState {
  if (!result) throw new CallFailed(missingCode);
  switch (result.kind) {
    case 'begun':
      return result.state;
    case 'refused':
      throw new CallFailed(result.code);
    case 'limited':
      throw new CallFailed('too many requests', { retryAfterSeconds: result.retryAfterSeconds });
  }
}
