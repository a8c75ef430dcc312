/**
 * How an identity was proven, in the words of the ID token: `acr` names the strength, `amr` the methods (RFC 8176).
 * Both are told truthfully and again whenever the upstream's session is gone on with.
 */
export const ACR = { password: 'urn:foyer:acr:pwd', secondFactor: 'urn:foyer:acr:mfa', key: 'urn:foyer:acr:phrh' } as const;

export type Acr = (typeof ACR)[keyof typeof ACR];

/** `hwk`: a security key; `otp`: the authenticator app; `mfa`: more than one factor. */
export type Amr = 'pwd' | 'otp' | 'hwk' | 'mfa' | 'fed';

export const PASSWORD_ONLY = { acr: ACR.password, amr: ['pwd'] } as const;

/** The kinds of second factor that can be set up. */
export type FactorKind = 'totp' | 'fido2';
