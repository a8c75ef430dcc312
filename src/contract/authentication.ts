/**
 * How a person was authenticated, in terms of the ID token: `acr` is the strength, `amr` the methods (RFC 8176 and OpenID
 * Connect EAP ACR Values 1.0). Both keep the values of the original sign-in if Hydra's session is continued.
 */
export const ACR = {
  /** A provider or the registration service alone. */
  federated: 'urn:foyer:acr:fed',
  password: 'urn:foyer:acr:pwd',
  secondFactor: 'urn:foyer:acr:mfa',
  /** Phishing-resistant: with a security key or passkey. */
  key: 'urn:foyer:acr:phr',
  /** Phishing-resistant and hardware-protected: with a key that cannot leave its device and that verified its user. */
  hardwareKey: 'urn:foyer:acr:phrh',
} as const;

export type Acr = (typeof ACR)[keyof typeof ACR];

/**
 * `otp`: a code of an authenticator app, by mail or from paper; `pop`: a key, with `hwk` if it cannot leave its device and
 * `swk` if it is synced; `user`: the key asked for a touch; `pin`: it verified its user; `mfa`: more than one factor; `fed`: a
 * provider or the registration service.
 */
export type Amr = 'pwd' | 'otp' | 'hwk' | 'swk' | 'pop' | 'user' | 'pin' | 'mfa' | 'fed';

export const PASSWORD_ONLY = { acr: ACR.password, amr: ['pwd'] } as const;

const KEY_METHODS: readonly string[] = ['pop', 'hwk', 'swk'];
/** One of them is in the `amr` of every proof of a factor. */
export const FACTOR_METHODS: readonly string[] = ['otp', ...KEY_METHODS];

export function hasKeyMethod(amr: readonly string[]): boolean {
  return amr.some((method) => KEY_METHODS.includes(method));
}

export function hasFactorMethod(amr: readonly string[]): boolean {
  return amr.some((method) => FACTOR_METHODS.includes(method));
}

/** Something was proven here, not only at a provider. */
export function hasOwnMethod(amr: readonly string[]): boolean {
  return amr.includes('pwd') || hasFactorMethod(amr);
}

export function isHardwareProof(amr: readonly string[]): boolean {
  return amr.includes('pop') && amr.includes('hwk') && amr.includes('pin');
}
