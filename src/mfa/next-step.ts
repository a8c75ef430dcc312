/**
 * The next step of a sign-in. `Dispatch` alone calls it: after a first factor, after a second one, for a request that started again, for a
 * session, and for the page of the second factor. `policy.ts` says what is wanted.
 */
import type { FactorCounts } from '../accounts/account/factor-counts.js';
import { hasFactorMethod, hasKeyMethod, hasOwnMethod, isHardwareProof } from '../contract/authentication.js';
import { canVerify, hasFactor, isSecondFactor } from './held-factors.js';
import type { ProofLevel, WantedProof } from './policy.js';
import { heldKinds } from './registry.js';

export interface SignInProgress {
  /** Proofs so far, as values of `amr`. */
  proven: readonly string[];
  factors: FactorCounts;
  wanted: WantedProof;
  /** The browser is trusted: a factor of the account is not asked for; one that the client or the installation wants still is. */
  isTrusted?: boolean | undefined;
}

/** `prove`: a password or factor is required, and only a provider has proven the person. `unmet`: nothing can be enough. */
export type Step = 'accept' | 'verify' | 'enrol' | 'prove' | 'unmet';

/** A factor that is set up is always required, even if nobody requests one, except in a trusted browser. */
export function nextStep({ proven, factors, wanted, isTrusted = false }: SignInProgress): Step {
  const level = toLevel({ proven, factors, wanted });
  if (level === undefined) return 'unmet';
  const hasRequiredFactor = hasFactorMethod(proven) || !hasFactor(factors) || isTrusted;
  if (MET[level](proven) && hasRequiredFactor) return 'accept';
  if (mayVerify({ factors, wanted })) return 'verify';
  return level === 'own' ? 'prove' : 'enrol';
}

/** A password was typed, and a factor is wanted only because the account has one: a trusted browser may replace it. */
export function mayTrustBrowser({ proven, factors, wanted }: SignInProgress): boolean {
  const isTyped = proven.includes('pwd') && hasFactor(factors);
  return isTyped && nextStep({ proven: ['pwd'], factors, wanted, isTrusted: true }) === 'accept';
}

/** Only a security key is accepted. */
export function wantsKey(progress: SignInProgress): boolean {
  const level = toLevel(progress);
  return level === 'key' || level === 'hardware';
}

/** The key has to verify its user too. */
export function wantsHardware(progress: SignInProgress): boolean {
  return toLevel(progress) === 'hardware';
}

/** Where passkeys are turned off, those that are kept are nothing that could be asked for. */
function mayVerify({ factors, wanted }: Pick<SignInProgress, 'factors' | 'wanted'>): boolean {
  return wanted.usesPasskeys === false ? hasFactor(factors) : canVerify(factors);
}

const MET: Readonly<Record<ProofLevel, (proven: readonly string[]) => boolean>> = {
  any: () => true,
  own: hasOwnMethod,
  factor: hasFactorMethod,
  key: hasKeyMethod,
  hardware: isHardwareProof,
};

/** The first of the wanted levels that this person can reach: nothing less is accepted for it. */
function toLevel({ proven, factors, wanted }: SignInProgress): ProofLevel | undefined {
  const hasKey = heldKinds(factors).some((kind) => kind.amr === 'hwk' && (isSecondFactor(kind) || wanted.usesPasskeys !== false));
  const mayEnrolKey = wanted.offersKey && !mayVerify({ factors, wanted }) && !hasFactorMethod(proven);
  return wanted.levels.find((level) => {
    if (level !== 'key' && level !== 'hardware') return true;
    if (MET[level](proven)) return true;
    // The person has used a synced key; another attempt would ask for it again.
    if (level === 'hardware' && proven.includes('swk')) return false;
    return hasKey || mayEnrolKey;
  });
}
