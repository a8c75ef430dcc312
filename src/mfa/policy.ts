/** How strongly a sign-in has to be proven: what the account, the client, the request and the installation say. Pure. */
import type { Account } from '../accounts/account/accounts.js';
import type { WantedProof } from '../accounts/sessions/pending-authentications.js';
import type { Config } from '../config/config.js';
import { ACR } from '../contract/authentication.js';
import type { Acr } from '../contract/authentication.js';

export interface PolicyCase {
  account: Pick<Account, 'secondFactor'>;
  /** The client's own setting (`metadata.foyer.mfa`). */
  clientWantsFactor: boolean;
  /** As the request has them: most wanted first (OpenID Connect Core, section 3.1.2.1). */
  acrValues: readonly string[];
  config: Pick<Config['mfa'], 'policy' | 'numericAcr'>;
}

const LEVELS: Readonly<Record<Acr, WantedProof['level']>> = {
  [ACR.password]: 'password',
  [ACR.secondFactor]: 'factor',
  [ACR.key]: 'key',
};

const NUMBERS: Readonly<Record<Acr, string>> = { [ACR.password]: '1', [ACR.secondFactor]: '2', [ACR.key]: '3' };

/** The most that anybody wants. An account that says `optional` is exempt from the installation's rule and no other. */
export function wantedProof({ account, clientWantsFactor, acrValues, config }: PolicyCase): WantedProof {
  const asked = LEVELS[askedAcr(acrValues, config)?.acr ?? ACR.password];
  if (asked === 'key') return { level: 'key', by: 'client' };
  if (account.secondFactor === 'required') return { level: 'factor', by: 'account' };
  if (asked === 'factor' || clientWantsFactor) return { level: 'factor', by: 'client' };
  const isInstallation = config.policy === 'required' && account.secondFactor !== 'optional';
  return { level: isInstallation ? 'factor' : 'password', by: 'installation' };
}

/** How it was proven, truthfully. */
export function acrOf(amr: readonly string[]): Acr {
  if (amr.includes('hwk')) return ACR.key;
  return amr.includes('otp') ? ACR.secondFactor : ACR.password;
}

/** The same in the spelling that the request used. */
export function acrFor(acr: Acr, acrValues: readonly string[], config: Pick<Config['mfa'], 'numericAcr'>): string {
  return askedAcr(acrValues, config)?.isNumeric ? NUMBERS[acr] : acr;
}

/** The first value that means something here; they are wishes, so the others are passed over. */
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
