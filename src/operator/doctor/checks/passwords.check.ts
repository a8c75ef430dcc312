/**
 * Finds rules for passwords and for factor resets that are weaker than they could be, checks the list of breached passwords, and reports
 * the cost of a password hash.
 */
import { BreachedList, BreachedListUnusable } from '../../../accounts/password/breached-list.js';
import { measureHash, measureHashPairs } from '../../../accounts/password/hash-cost.js';
import type { Config } from '../../../config/config.js';
import { HASH_PAIRS, isStrongEnough, type HashCost, type HashPair } from '../../../config/hash-pairs.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

/**
 * A pair is proposed if its CPU time is at most this share of the current time, because measured times vary from run to run. For
 * the same reason the proposal is `ok` and not a hint.
 */
const PROPOSAL_SHARE = 0.75;
const MAX_LIST_AGE_MS = 365 * 86_400_000;
/** The minimum length without a second factor (NIST SP 800-63B-4, section 3.1.1.2). */
const NIST_LENGTH_ALONE = 15;
const PAIRS = Object.keys(HASH_PAIRS) as HashPair[];

export const passwordsCheck: Check = {
  title: 'Passwords',
  run: async ({ config: { password, mfa, hashing }, parts }) => {
    const weaknesses = [
      ...checkLengths(password),
      ...(mfa.resetProof === 'none'
        ? [
            hint(
              'Anybody who has the token of a contact person can remove all second factors of an account, without its password.',
              'Set FACTOR_RESET_PROOF=password, unless the token must also help people who have lost their password.',
            ),
          ]
        : []),
    ];
    const ruleFindings =
      weaknesses.length > 0 ? weaknesses : [ok('New passwords must have the lengths that NIST SP 800-63B-4 requires.')];
    const pairs = await measureHashPairs();
    const pair = PAIRS.find(
      (name) => HASH_PAIRS[name].memoryKiB === hashing.memoryKiB && HASH_PAIRS[name].iterations === hashing.iterations,
    );
    const currentMs = pair === undefined ? await measureHash(hashing) : pairs[pair];
    const listFindings = inspectBreachedList(password.breachedList, parts.clock.now());
    return [...ruleFindings, ...listFindings, judgeCost(hashing, { currentMs, pairs }, Object.keys(parts.env))];
  },
};

export function checkLengths({
  minLength,
  minLengthAlone = minLength,
}: Pick<Config['password'], 'minLength' | 'minLengthAlone'>): Finding[] {
  if (minLengthAlone >= NIST_LENGTH_ALONE) return [];
  return [
    hint(
      `A password needs only ${minLengthAlone} characters, even without a second factor.`,
      'Set PASSWORD_PROFILE=nist: at least 8 characters with a second factor, 15 without one; existing passwords stay valid.',
    ),
  ];
}

/** @param path the path in `BREACHED_LIST`; if absent, nothing is reported */
export function inspectBreachedList(path: string | undefined, now: Date): Finding[] {
  if (path === undefined) return [];
  try {
    const list = BreachedList.open(path);
    list.close();
    const { count, builtAt } = list.facts;
    const statement = `New passwords are compared with ${count} breached passwords`;
    if (now.getTime() - builtAt.getTime() < MAX_LIST_AGE_MS) return [ok(`${statement}.`)];
    const fix = 'Build it again from the newest download with `foyer breached build`, and restart the gateways.';
    return [hint(`${statement}, from a list of ${builtAt.toISOString().slice(0, 10)}.`, fix)];
  } catch (error) {
    if (!(error instanceof BreachedListUnusable)) throw error;
    return [fault(`BREACHED_LIST: ${path} ${error.message}.`, 'Build it with `foyer breached build`, or correct the path.')];
  }
}

/** Times are milliseconds of CPU for one hash. @param settings names of the settings in the environment */
export function judgeCost(
  hashing: HashCost,
  { currentMs, pairs }: { currentMs: number; pairs: Record<HashPair, number> },
  settings: readonly string[] = [],
): Finding {
  const cheapestPair = PAIRS.reduce((pair, name) => (pairs[name] < pairs[pair] ? name : pair));
  const cost = `A password hash needs ${currentMs.toFixed(1)} ms of CPU here (${hashing.memoryKiB} KiB, ${hashing.iterations} passes)`;
  if (!isStrongEnough(hashing)) return ok(`${cost}.`);
  if (pairs[cheapestPair] > currentMs * PROPOSAL_SHARE) return ok(`${cost}; no pair of PASSWORD_HASH needs much less.`);
  const replacedSettings = ['HASH_MEMORY_KIB', 'HASH_ITERATIONS'].filter((name) => settings.includes(name));
  const removal = replacedSettings.length > 0 ? ` and remove ${replacedSettings.join(' and ')}` : '';
  return ok(
    `${cost}; ${cheapestPair}, which is strong enough, needs ${pairs[cheapestPair].toFixed(1)} ms: set PASSWORD_HASH=${cheapestPair}${removal} in a new installation (docs/production.md).`,
  );
}
