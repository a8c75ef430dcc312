/** The required strength of a sign-in, and the `acr` of a proof. Pure functions. */
import type { Account } from '../accounts/account/accounts.js';
import type { Config } from '../config/config.js';
import { defined } from '../config/defined.js';
import {
  ACR,
  hasFactorMethod,
  hasKeyMethod,
  hasOwnMethod,
  isHardwareProof,
  isMailOnly,
  type Acr,
} from '../contract/authentication.js';

/**
 * `any`: every proof is enough, even a mailed code; `provider`: a provider alone is enough; `own`: a password or a factor;
 * `factor`: a second factor or passkey; `key`: a phishing-resistant factor; `hardware`: a key that cannot leave its device and that
 * verifies its user.
 */
export type ProofLevel = 'any' | 'provider' | 'own' | 'factor' | 'key' | 'hardware';

/** The required strength of a sign-in and where the requirement comes from. */
export interface WantedProof {
  /** In order of preference. */
  levels: readonly ProofLevel[];
  /** People may set up a key in this installation. */
  offersKey: boolean;
  /** False if passkeys are turned off. */
  usesPasskeys?: boolean;
  requiredBy: 'account' | 'client' | 'installation';
  /** The installation requires a second factor from this time on. Until then its set-up is offered, and may be postponed. */
  factorFrom?: Date;
}

export interface PolicyCase {
  account: Pick<Account, 'secondFactor'>;
  /** The client's own setting (`metadata.foyer.mfa`). */
  clientWantsFactor: boolean;
  /** Values of the request, in order of preference (OpenID Connect Core, section 3.1.2.1). */
  acrValues: readonly string[];
  /** People may set up a key in this installation. */
  offersKey: boolean;
  config: Pick<Config['mfa'], 'policy' | 'numericAcr' | 'requiredFrom'>;
  now: Date;
}

interface KnownValue {
  level: ProofLevel;
  spelling: 'urn' | 'eap' | 'number';
}

const LEVELS: Readonly<Record<Acr, ProofLevel>> = {
  [ACR.mail]: 'any',
  [ACR.federated]: 'provider',
  [ACR.password]: 'own',
  [ACR.secondFactor]: 'factor',
  [ACR.key]: 'key',
  [ACR.hardwareKey]: 'hardware',
};
const ORDER: readonly ProofLevel[] = ['any', 'provider', 'own', 'factor', 'key', 'hardware'];

/**
 * Numeric values of `acr`. Each number includes all stronger proofs; `1` includes a provider. `0` is less than any level of
 * assurance (OpenID Connect Core, section 2, `acr`).
 */
const NUMBERS: Readonly<Record<Acr, string>> = {
  [ACR.mail]: '0',
  [ACR.federated]: '1',
  [ACR.password]: '1',
  [ACR.secondFactor]: '2',
  [ACR.key]: '2',
  [ACR.hardwareKey]: '3',
};
const NUMBER_LEVELS: Readonly<Partial<Record<string, ProofLevel>>> = { 1: 'provider', 2: 'factor', 3: 'hardware' };
/** Values of OpenID Connect EAP ACR Values 1.0. */
const EAP: Readonly<Partial<Record<Acr, string>>> = { [ACR.key]: 'phr', [ACR.hardwareKey]: 'phrh' };

/**
 * Chooses the strongest of all requirements. `optional` exempts an account only from the rule of the installation. Of the known
 * values of the request, the first that the person can reach is used; if the person can reach none, the request is refused.
 */
export function chooseWantedProof({ account, clientWantsFactor, acrValues, offersKey, config, now }: PolicyCase): WantedProof {
  const requestedLevels = findKnownValues(acrValues, config).map(({ level }) => level);
  const hasInstallationRule = config.policy === 'required' && account.secondFactor !== 'optional';
  const { requiredFrom } = config;
  const factorFrom = hasInstallationRule && requiredFrom !== undefined && now < requiredFrom ? requiredFrom : undefined;
  const isRequired =
    account.secondFactor === 'required' || clientWantsFactor || (hasInstallationRule && factorFrom === undefined);
  const minimum: ProofLevel = isRequired ? 'factor' : 'any';
  const levels = requestedLevels.length === 0 ? [minimum] : requestedLevels.map((level) => findStronger(level, minimum));
  const [firstLevel = minimum] = levels;
  const requiredBy = toSource(firstLevel, { account, clientWantsFactor, requestedLevels });
  return { levels, offersKey, requiredBy, ...defined({ factorFrom }) };
}

function toSource(
  level: ProofLevel,
  {
    account,
    clientWantsFactor,
    requestedLevels,
  }: Pick<PolicyCase, 'account' | 'clientWantsFactor'> & { requestedLevels: readonly ProofLevel[] },
): WantedProof['requiredBy'] {
  if (level === 'key' || level === 'hardware') return 'client';
  if (account.secondFactor === 'required') return 'account';
  return level === 'factor' && (clientWantsFactor || requestedLevels.includes('factor')) ? 'client' : 'installation';
}

function findStronger(level: ProofLevel, otherLevel: ProofLevel): ProofLevel {
  return ORDER.indexOf(level) >= ORDER.indexOf(otherLevel) ? level : otherLevel;
}

/** Whether the methods `amr` are a stronger proof than the methods `otherAmr`. */
export function isStronger(amr: readonly string[], otherAmr: readonly string[]): boolean {
  const toRank = (methods: readonly string[]): number => ORDER.indexOf(LEVELS[toAcr(methods)]);
  return toRank(amr) > toRank(otherAmr);
}

/** @returns the `acr` of the proven methods */
export function toAcr(amr: readonly string[]): Acr {
  if (isHardwareProof(amr)) return ACR.hardwareKey;
  if (hasKeyMethod(amr)) return ACR.key;
  if (hasFactorMethod(amr)) return ACR.secondFactor;
  if (hasOwnMethod(amr)) return ACR.password;
  return isMailOnly(amr) ? ACR.mail : ACR.federated;
}

/** @param acr of an ID token; a value that is not Foyer's is never enough */
export function isAtLeast(acr: string, minimum: Acr): boolean {
  const knownAcr = Object.values(ACR).find((one) => one === acr);
  return knownAcr !== undefined && ORDER.indexOf(LEVELS[knownAcr]) >= ORDER.indexOf(LEVELS[minimum]);
}

/** @returns the `acr` in the spelling of the request */
export function spellAcr(acr: Acr, acrValues: readonly string[], config: Pick<Config['mfa'], 'numericAcr'>): string {
  const [firstValue] = findKnownValues(acrValues, config);
  if (firstValue?.spelling === 'number') return NUMBERS[acr];
  return (firstValue?.spelling === 'eap' ? EAP[acr] : undefined) ?? acr;
}

/** @returns whether Foyer supports any of the values */
export function hasKnownValue(acrValues: readonly string[], config: Pick<Config['mfa'], 'numericAcr'>): boolean {
  return findKnownValues(acrValues, config).length > 0;
}

/** Unknown values are ignored, because `acr_values` is a voluntary request. */
function findKnownValues(acrValues: readonly string[], { numericAcr }: Pick<Config['mfa'], 'numericAcr'>): KnownValue[] {
  return acrValues.flatMap((value): KnownValue[] => {
    const acr = Object.values(ACR).find((one) => value === one || value === EAP[one]);
    if (acr) return [{ level: LEVELS[acr], spelling: value === acr ? 'urn' : 'eap' }];
    const level = numericAcr ? NUMBER_LEVELS[value] : undefined;
    return level ? [{ level, spelling: 'number' }] : [];
  });
}
