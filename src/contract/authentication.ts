/**
 * How an identity was proven, in the words of the ID token: `acr` names the strength, `amr` the methods (RFC 8176).
 * Both are told truthfully and again whenever the upstream's session is gone on with.
 */
const ACR = { password: 'urn:foyer:acr:pwd' } as const;

export const PASSWORD_ONLY = { acr: ACR.password, amr: ['pwd'] } as const;
