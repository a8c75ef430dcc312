/**
 * How a person was authenticated, in terms of the ID token: `acr` is the strength, `amr` the methods (RFC 8176). Both
 * keep the values of the original sign-in if Hydra's session is continued.
 */
export const ACR = { password: 'urn:foyer:acr:pwd', secondFactor: 'urn:foyer:acr:mfa', key: 'urn:foyer:acr:phrh' } as const;

export type Acr = (typeof ACR)[keyof typeof ACR];

/** `hwk`: a security key; `otp`: the authenticator app; `mfa`: more than one factor. */
export type Amr = 'pwd' | 'otp' | 'hwk' | 'mfa' | 'fed';

export const PASSWORD_ONLY = { acr: ACR.password, amr: ['pwd'] } as const;
