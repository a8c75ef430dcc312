/**
 * Finds the next step of a sign-in. Outside this file, only `Dispatch` calls `nextStep`. `policy.ts` decides which proof is
 * required.
 */
import type { FactorCounts } from '../accounts/account/factor-counts.js';
import { hasFactorMethod, hasKeyMethod, hasOwnMethod, isHardwareProof, isMailOnly } from '../contract/authentication.js';
import { canVerify, hasFactor, isSecondFactor, removeMailedCodes } from './held-factors.js';
import type { ProofLevel, WantedProof } from './policy.js';
import { findHeldKinds } from './registry.js';

export interface SignInProgress {
  /** The methods that were proven so far, as values of `amr`. */
  provenMethods: readonly string[];
  factors: FactorCounts;
  wantedProof: WantedProof;
  /** In a trusted browser, a factor is required only if the account's setting, the client or the installation requires one. */
  isTrusted?: boolean | undefined;
  /**
   * Whether a task replaces the password or the address. An account with a factor or passkey then has to prove it, also in a
   * trusted browser (decision 0054).
   */
  replacesCredential?: boolean | undefined;
  /** Whether the set-up of a factor that is required later was postponed; always for a session. */
  isPostponed?: boolean | undefined;
}

/**
 * `prove`: only a provider or a mailed code has proven the person, which is not enough. A mailed code never leads to the
 * set-up of a factor, so that whoever reads a mailbox cannot lock its owner out. `unmet`: the person cannot prove enough.
 */
export type NextStep = 'accept' | 'verify' | 'enrol' | 'prove' | 'unmet';

/**
 * A second factor that is set up is required, except in a trusted browser. Before the password or the address is replaced, a factor
 * or passkey is required of every account that has one.
 */
export function nextStep(progress: SignInProgress): NextStep {
  const { provenMethods, factors, wantedProof, isTrusted = false, replacesCredential } = progress;
  const level = findReachableLevel({ provenMethods, factors, wantedProof });
  if (level === undefined) return 'unmet';
  const canProveMore = canVerify(findProvableFactors(provenMethods, factors), wantedProof.usesPasskeys);
  if (replacesCredential === true && !hasFactorMethod(provenMethods) && canProveMore) return 'verify';
  const hasRequiredFactor = hasFactorMethod(provenMethods) || !hasFactor(factors) || isTrusted;
  if (LEVEL_TESTS[level](provenMethods) && hasRequiredFactor) return !canProveMore && offersSetUp(progress) ? 'enrol' : 'accept';
  if (canProveMore) return 'verify';
  return level === 'own' || isMailOnly(provenMethods) ? 'prove' : 'enrol';
}

/**
 * Whether the set-up of a factor is offered before the day from which a factor is required. It is not offered if only a provider or
 * a mailed code has proven the person.
 */
function offersSetUp({ provenMethods, wantedProof, isPostponed }: SignInProgress): boolean {
  const isOffered = wantedProof.factorFrom !== undefined && isPostponed !== true;
  return isOffered && hasOwnMethod(provenMethods) && !hasFactorMethod(provenMethods);
}

/**
 * @returns the factors that may follow the proof: a second mailed code would only prove the same mailbox again
 */
export function findProvableFactors(provenMethods: readonly string[], factors: FactorCounts): FactorCounts {
  return provenMethods.includes('mail') ? removeMailedCodes(factors) : factors;
}

/**
 * Whether a trusted browser can replace the factor: the password was typed, and a factor is required only because the account has
 * one.
 */
export function mayTrustBrowser({ provenMethods, factors, wantedProof }: SignInProgress): boolean {
  const isCandidate = provenMethods.includes('pwd') && hasFactor(factors);
  return isCandidate && nextStep({ provenMethods: ['pwd'], factors, wantedProof, isTrusted: true }) === 'accept';
}

/** Whether only a security key or passkey is accepted. */
export function wantsKey(progress: SignInProgress): boolean {
  const level = findReachableLevel(progress);
  return level === 'key' || level === 'hardware';
}

/** Whether the key also has to verify its user. */
export function wantsHardware(progress: SignInProgress): boolean {
  return findReachableLevel(progress) === 'hardware';
}

const LEVEL_TESTS: Readonly<Record<ProofLevel, (provenMethods: readonly string[]) => boolean>> = {
  any: () => true,
  provider: (provenMethods) => !isMailOnly(provenMethods),
  own: hasOwnMethod,
  factor: hasFactorMethod,
  key: hasKeyMethod,
  hardware: isHardwareProof,
};

/** @returns the first required level that this person can reach; undefined if there is none */
function findReachableLevel({ provenMethods, factors, wantedProof }: SignInProgress): ProofLevel | undefined {
  const hasKey = findHeldKinds(factors).some(
    (kind) => kind.amr === 'hwk' && (isSecondFactor(kind) || wantedProof.usesPasskeys !== false),
  );
  const mayEnrolKey = wantedProof.offersKey && !canVerify(factors, wantedProof.usesPasskeys) && !hasFactorMethod(provenMethods);
  return wantedProof.levels.find((level) => {
    if (level !== 'key' && level !== 'hardware') return true;
    if (LEVEL_TESTS[level](provenMethods)) return true;
    // The person has used a synced key; Foyer does not ask for another key.
    if (level === 'hardware' && provenMethods.includes('swk')) return false;
    return hasKey || mayEnrolKey;
  });
}
