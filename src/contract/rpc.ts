/**
 * The answers to scripts: the codes of the member `error`, and the types of the other answers. Their members have the names of the
 * specification, if it defines them (sections 3 and 7).
 */

/**
 * The codes with their HTTP status (specification, section 8; ERR-1, ERR-3, ERR-4). Where the specification has a code or text for an
 * error, the code is that text in lower case. The browser translates all codes.
 */
export const RPC_ERROR_STATUS = {
  error: 500,
  page_not_found: 404,
  unauthorized: 401,
  'could not parse request': 400,
  'proof required': 403,
  'credentials frozen': 423,
  forbidden: 403,
  'too many requests': 429,
  unavailable: 503,
  'invalid verification code': 422,
  'factor already registered': 409,
  'factor not found': 404,
  'factor unavailable': 409,
  'no e-mail address': 409,
  'totp already registered': 409,
  'totp not found': 404,
  'fido2 already registered': 409,
  'fido2 not found': 404,
  'fido2 failed': 422,
  'passkey failed': 422,
  'token used': 409,
  'session expired': 410,
  'too many keys': 409,
  'factor required': 409,
  'oauth not found': 404,
  'last way in': 409,
  'no password given': 422,
  'no new password given': 422,
  'no repeat new password given': 422,
  'password and repetition not equal': 422,
  'password not strong enough': 422,
  'current password invalid': 422,
  'username is empty': 422,
  'username is invalid': 422,
  'username not available': 409,
  'username elsewhere': 409,
  'email is empty': 422,
  'email is invalid': 422,
  'email not available': 409,
  'email elsewhere': 409,
} as const;

export type RpcErrorCode = keyof typeof RPC_ERROR_STATUS;

/** Errors that are shown as a page of their own, never within a page (ERR-2). */
export const FULL_PAGE_ERRORS: readonly string[] = ['page_not_found', 'unauthorized'];

export interface UserInfoAnswer {
  user_id: string;
  display_name: string;
  /** Empty if there is none. */
  picture: string;
  return_to_url: string;
}

export interface MfaRegistrationStatusAnswer {
  totp_registered: boolean;
  count_registered_fido2_devices: number;
}

/** The answer after a set-up is finished. */
export interface FactorAddedAnswer {
  /** Recovery codes, if this was the first factor; shown once. */
  recovery_codes?: string[];
  /** In a set-up during a sign-in: the value for `mfa_token` in the form of the sign-in. */
  token?: string;
}

export interface InitFido2Answer {
  relyingPartyId: string;
  relyingPartyName: string;
  /** Base64, as the specification requires. `publicKey` contains the same id in base64url, as WebAuthn requires. */
  userId: string;
  /** The same value under the name that the set-up during a sign-in uses (FID-3). */
  base64EncodedUserId: string;
  /** Address of the person's picture; empty if there is none (FID-3). */
  icon: string;
  username: string;
  displayName: string;
  /** Base64url. */
  challenge: string;
  existingCredentialIds: string[];
  sessionId: string;
  /** The full `PublicKeyCredentialCreationOptionsJSON` for the browser (FID-1). */
  publicKey: object;
}

/** `POST /mfa-init-passkey`: the start of the set-up of a passkey. */
export interface InitPasskeyAnswer {
  sessionId: string;
  /** `PublicKeyCredentialCreationOptionsJSON` for the browser. */
  publicKey: object;
}

/** `POST /mfa/init-fido2` and `POST …/proof/init-fido2`: `PublicKeyCredentialRequestOptionsJSON` (FID-2). */
export interface AssertionOptionsAnswer {
  publicKey: object;
}

export interface RecoveryCodesAnswer {
  codes: string[];
}

/** `GET /email`: the address of the account, if there is one. */
export interface EmailAnswer {
  email: string | null;
  email_verified: boolean;
}

/** `GET /oauth/accounts`: connected identities by provider id. */
export type OAuthAccountsAnswer = Readonly<Record<string, { id: string; name: string }>>;

/** `POST /oauth/connect-url/{provider}`: the address at which the browser continues. */
export interface ConnectUrlAnswer {
  url: string;
}
