/** The required strength of a sign-in, from the account, client, request and installation. Pure functions. */
import type { Account } from '../accounts/account/accounts.js';
import type { WantedProof } from '../accounts/sessions/pending-authentications.js';
import type { Config } from '../config/config.js';
import { ACR } from '../contract/authentication.js';
import type { Acr } from '../contract/authentication.js';

export interface PolicyCase {
  account: Pick<Account, 'secondFactor'>;
  /** The client's own setting (`metadata.foyer.mfa`). */
  clientWantsFactor: boolean;
  /** Values of the request, in order of preference (OpenID Connect Core, section 3.1.2.1). */
  acrValues: readonly string[];
  config: Pick<Config['mfa'], 'policy' | 'numericAcr'>;
}

const LEVELS: Readonly<Record<Acr, WantedProof['level']>> = {
  [ACR.password]: 'password',
  [ACR.secondFactor]: 'factor',
  [ACR.key]: 'key',
};

const NUMBERS: Readonly<Record<Acr, string>> = { [ACR.password]: '1', [ACR.secondFactor]: '2', [ACR.key]: '3' };

/** The strongest requirement. An account with `optional` is exempt only from the installation's rule. */
export function wantedProof({ account, clientWantsFactor, acrValues, config }: PolicyCase): WantedProof {
  const asked = LEVELS[askedAcr(acrValues, config)?.acr ?? ACR.password];
  if (asked === 'key') return { level: 'key', by: 'client' };
  if (account.secondFactor === 'required') return { level: 'factor', by: 'account' };
  if (asked === 'factor' || clientWantsFactor) return { level: 'factor', by: 'client' };
  const isInstallation = config.policy === 'required' && account.secondFactor !== 'optional';
  return { level: isInstallation ? 'factor' : 'password', by: 'installation' };
}

/** The `acr` of what was actually proven. */
export function acrOf(amr: readonly string[]): Acr {
  if (amr.includes('hwk')) return ACR.key;
  return amr.includes('otp') ? ACR.secondFactor : ACR.password;
}

/** The same, in the spelling of the request. */
export function acrFor(acr: Acr, acrValues: readonly string[], config: Pick<Config['mfa'], 'numericAcr'>): string {
  return askedAcr(acrValues, config)?.isNumeric ? NUMBERS[acr] : acr;
}

/** The first known value. Unknown values are ignored, because the values are voluntary. */
function askedAcr(
  acrValues: readonly string[],
  { numericAcr }: Pick<Config['mfa'], 'numericAcr'>,
): { acr: Acr; isNumeric: boolean } | undefined {
  for (const value of acrValues) {
    for (const acr of Object.values(ACR)) {
      if (value === acr) return { acr, isNumeric: false };
      if (numericAcr && value === NUMBERS[acr]) return { acr, isNumeric: true };
    }
  }
  return undefined;
}
