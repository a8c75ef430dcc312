/** Maps the result of an attempt to an RPC answer, at a sign-in and in the account area. */
import type { Amr } from '../contract/authentication.js';
import type { FactorSetupState } from '../contract/mfa-state.js';
import type { RpcErrorCode } from '../contract/rpc.js';
import { CallFailed } from '../gateway/http/calls.js';
import type { Begun, FactorVerdict } from './factor.port.js';

/**
 * Throws CallFailed. A stopped factor looks like a wrong code: its owner was notified by mail.
 * @returns what was proven, if it is more than the kind of factor says
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

/** @returns the RPC answer. Throws CallFailed; with `missing` if there is no such factor */
export function requireBegun(begun: Begun | null | undefined, missing: RpcErrorCode): FactorSetupState {
  if (!begun) throw new CallFailed(missing);
  switch (begun.kind) {
    case 'begun':
      return begun.state;
    case 'refused':
      throw new CallFailed(begun.code);
    case 'limited':
      throw new CallFailed('too many requests', { retryAfterSeconds: begun.retryAfterSeconds });
  }
}
