/** Rules for the settings of the registration service. */
import type { SettingValues } from './settings.js';
import { isOwnSignUp } from './sign-up-settings.js';

interface Input {
  values: SettingValues;
  isSet: (name: string) => boolean;
  production: boolean;
}

/**
 * Checks the settings against `REGISTRATION` and against each other. Requires a strong key: an attacker who could sign an answer
 * could sign in as anybody.
 */
export function checkRegistration({ values, isSet, production }: Input): { faults: string[]; warnings?: string[] } {
  const dependentNames = ['REGISTRATION_ISSUER', 'REGISTRATION_JWKS_URL', 'REGISTRATION_SECRET'];
  const { mode } = values.registration;
  const hasDemoService = values.hydra.adminUrl === undefined;
  if (mode === 'service' && !isSet('REGISTRATION_URL') && !hasDemoService) {
    return { faults: ['REGISTRATION: service requires REGISTRATION_URL, which is not set'] };
  }
  if ((isOwnSignUp(mode) || mode === 'invitation') && isSet('REGISTRATION_URL')) {
    return {
      faults: [`REGISTRATION_URL: is set, although REGISTRATION is ${mode}; people create their accounts in one place only`],
    };
  }
  if (!isSet('REGISTRATION_URL')) {
    const names = dependentNames.filter(isSet);
    return { faults: names.map((name) => `${name}: requires REGISTRATION_URL, which is not set`) };
  }
  const faults: string[] = [];
  const [hasJwks, hasSecret] = [isSet('REGISTRATION_JWKS_URL'), isSet('REGISTRATION_SECRET')];
  if (hasJwks === hasSecret) {
    faults.push(
      `REGISTRATION_JWKS_URL, REGISTRATION_SECRET: ${hasJwks ? 'only one of them may be' : 'one of them must be'} set, to verify the answers of the service`,
    );
  }
  // RFC 7518, section 3.2: the key must be at least as long as the hash output.
  if (hasSecret && Buffer.byteLength(values.registration.secret ?? '') < 32)
    faults.push('REGISTRATION_SECRET: is shorter than 32 bytes');
  if (production) faults.push(...findPlainHttp(values));
  return { faults, warnings: warnWithoutHints(values) };
}

function findPlainHttp({ registration: { url: page, jwksUrl } }: SettingValues): string[] {
  const addresses = { REGISTRATION_URL: page, REGISTRATION_JWKS_URL: jwksUrl };
  return Object.entries(addresses).flatMap(([name, url]) =>
    url?.startsWith('http:') ? [`${name}: must be https in production`] : [],
  );
}

function warnWithoutHints({ registration, hydra }: SettingValues): string[] {
  const hasDemoApp = hydra.adminUrl === undefined;
  if (hasDemoApp || registration.hintNames.length > 0) return [];
  return [
    'REG_HINT_NAMES: is empty, so the login page never offers to create an account; apps can still request it with prompt=registration',
  ];
}
