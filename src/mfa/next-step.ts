/** The next step of a sign-in. Every sign-in method calls it, and again before the login is accepted. See `policy.ts`. */
import type { FactorCounts } from '../accounts/account/factor-counts.js';
import type { WantedProof } from '../accounts/sessions/pending-authentications.js';
import { hasFactor, heldKinds } from './registry.js';

export interface SignInProgress {
  /** Proofs so far, as values of `amr`. */
  proven: readonly string[];
  factors: FactorCounts;
  wanted: WantedProof;
}

/**
 * A factor that is set up is always required, even if nobody requests one. A key is required only if the account has
 * one; otherwise any factor is accepted, and `acr` states which.
 * @returns `enrol` if a factor is required and none is set up
 */
export function nextStep({ proven, factors, wanted }: SignInProgress): 'accept' | 'verify' | 'enrol' {
  if (wantsKey({ factors, wanted })) return proven.includes('hwk') ? 'accept' : 'verify';
  if (proven.includes('otp') || proven.includes('hwk')) return 'accept';
  if (hasFactor(factors)) return 'verify';
  return wanted.level === 'password' ? 'accept' : 'enrol';
}

/** Only a security key is accepted. */
export function wantsKey({ factors, wanted }: Omit<SignInProgress, 'proven'>): boolean {
  return wanted.level === 'key' && heldKinds(factors).some(({ amr }) => amr === 'hwk');
}
