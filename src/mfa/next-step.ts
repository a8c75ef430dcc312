/** What a sign-in needs next. The only decision point: every way of signing in asks it, at its end once more. */
import type { FactorCounts } from '../accounts/account/factor-counts.js';
import type { WantedProof } from '../accounts/sessions/pending-authentications.js';
import { heldKinds } from './registry.js';

export interface SignInProgress {
  /** Proven so far, in words of `amr`. */
  proven: readonly string[];
  factors: FactorCounts;
  wanted: WantedProof;
}

/**
 * A factor that is set up is asked always, whoever wants one or not. A key is insisted on only where there is one; without
 * it any factor will do, and `acr` says truthfully which it was.
 * @returns `enrol`: a factor is wanted and none is set up
 */
export function nextStep({ proven, factors, wanted }: SignInProgress): 'accept' | 'verify' | 'enrol' {
  if (wantsKey({ factors, wanted })) return proven.includes('hwk') ? 'accept' : 'verify';
  if (proven.includes('otp') || proven.includes('hwk')) return 'accept';
  if (heldKinds(factors).length > 0) return 'verify';
  return wanted.level === 'password' ? 'accept' : 'enrol';
}

/** Only a security key will do. */
export function wantsKey({ factors, wanted }: Omit<SignInProgress, 'proven'>): boolean {
  return wanted.level === 'key' && heldKinds(factors).some(({ amr }) => amr === 'hwk');
}
