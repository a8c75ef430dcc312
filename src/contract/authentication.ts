/**
 * How a person was authenticated, in terms of the ID token: `acr` is the strength, `amr` are the methods (RFC 8176 and OpenID
 * Connect EAP ACR Values 1.0). If a session of Hydra is continued, both values of the original sign-in stay the same.
 */
export const ACR = {
  /** Proven by a mailed code alone, which anybody who reads the mailbox can enter. */
  mail: 'urn:foyer:acr:mail',
  /** Proven by a provider or the registration service alone. */
  federated: 'urn:foyer:acr:fed',
  password: 'urn:foyer:acr:pwd',
  secondFactor: 'urn:foyer:acr:mfa',
  /** Phishing-resistant: proven by a security key or passkey. */
  key: 'urn:foyer:acr:phr',
  /** Phishing-resistant and hardware-protected: a key that cannot leave its device and that verified its user. */
  hardwareKey: 'urn:foyer:acr:phrh',
} as const;

export type Acr = (typeof ACR)[keyof typeof ACR];

/**
 * `otp`: a code from an authenticator app or a mail, or a recovery code; `pop`: a key, with `hwk` if the key cannot leave its
 * device and `swk` if it can be synced; `user`: the key was touched; `pin`: the key verified its user; `mfa`: more than one factor;
 * `fed`: a provider or the registration service; `mail`: a mailed code in place of a password. `fed` and `mail` are not registered.
 */
export type Amr = 'pwd' | 'otp' | 'hwk' | 'swk' | 'pop' | 'user' | 'pin' | 'mfa' | 'fed' | 'mail';

export const PASSWORD_ONLY = { acr: ACR.password, amr: ['pwd'] } as const;

const KEY_METHODS: readonly string[] = ['pop', 'hwk', 'swk'];
/** The `amr` of every proof of a factor contains one of these methods. */
export const FACTOR_METHODS: readonly string[] = ['otp', ...KEY_METHODS];

export function hasKeyMethod(amr: readonly string[]): boolean {
  return amr.some((method) => KEY_METHODS.includes(method));
}

export function hasFactorMethod(amr: readonly string[]): boolean {
  return amr.some((method) => FACTOR_METHODS.includes(method));
}

/** Whether a password or factor was proven here: a provider or a mailed code alone is not enough. */
export function hasOwnMethod(amr: readonly string[]): boolean {
  return amr.includes('pwd') || hasFactorMethod(amr);
}

/** Whether nothing but a mailed code was proven. */
export function isMailOnly(amr: readonly string[]): boolean {
  return amr.includes('mail') && !amr.includes('fed') && !hasOwnMethod(amr);
}

export function isHardwareProof(amr: readonly string[]): boolean {
  return amr.includes('pop') && amr.includes('hwk') && amr.includes('pin');
}
