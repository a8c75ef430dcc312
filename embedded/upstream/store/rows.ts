/** The stored rows. Times are seconds since 1970 unless the name says otherwise; those of a client are text, as in the admin API. */

/** A client as in the admin API, but with the lifespans in one member, and with the hash of its secret instead of the secret. */
export interface ClientRow {
  client_id: string;
  client_name: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  scope: string;
  audience: string[];
  owner: string;
  policy_uri: string;
  allowed_cors_origins: string[];
  tos_uri: string;
  client_uri: string;
  logo_uri: string;
  contacts: string[];
  subject_type: string;
  sector_identifier_uri?: string;
  jwks_uri?: string;
  jwks: Record<string, unknown>;
  token_endpoint_auth_method: string;
  token_endpoint_auth_signing_alg?: string;
  request_uris?: string[];
  request_object_signing_alg?: string;
  userinfo_signed_response_alg: string;
  created_at: string;
  updated_at: string;
  frontchannel_logout_uri?: string;
  frontchannel_logout_session_required?: boolean;
  post_logout_redirect_uris?: string[];
  backchannel_logout_uri?: string;
  backchannel_logout_session_required?: boolean;
  metadata: unknown;
  access_token_strategy?: string;
  skip_consent: boolean;
  skip_logout_consent: boolean | null;
  lifespans: Record<string, string>;
  secretHash: string;
}

/** A remembered login. Other logins are not stored. */
export interface SessionRow {
  id: string;
  subject: string;
  authenticatedAt: number;
  expiresAt: number;
}

/**
 * One redeemed flow: the consent and the content of its tokens. The key is the id of the flow, because a flow is redeemed only once.
 */
export interface ConsentRow {
  flowId: string;
  consentId: string;
  clientId: string;
  subject: string;
  sessionId: string;
  requestedScope: string[];
  requestedAudience: string[];
  grantedScope: string[];
  grantedAudience: string[];
  oidcContext: Record<string, unknown> | null;
  requestUrl: string;
  requestedAt: number;
  authenticatedAt: number;
  acr: string;
  amr: string[];
  nonce: string;
  context: unknown;
  skip: boolean;
  remember: boolean;
  rememberFor: number;
  handledAtMs: number;
  idTokenClaims: Record<string, unknown>;
  accessTokenClaims: Record<string, unknown>;
  /**
   * The claims in the last answer of the token hook, except answers with the status 204, which change nothing. Those of the ID token
   * include `sid` only if the answer did.
   */
  hooked?: TokenClaims;
}

export interface TokenClaims {
  idToken: Record<string, unknown>;
  accessToken: Record<string, unknown>;
}

export interface LogoutRow {
  challenge: string;
  verifier: string;
  subject: string;
  sessionId: string;
  requestUrl: string;
  rpInitiated: boolean;
  clientId: string | null;
  redirectTo: string;
  state: 'waiting' | 'accepted' | 'rejected';
  used: boolean;
  requestedAt: number;
  /** null if the request does not expire. */
  expiresAt: number | null;
  /** When the row may be removed. */
  sweepAt: number;
}

/** A code or a token. Its id is the hash of its text. */
export interface TokenRow {
  kind: 'code' | 'access' | 'refresh' | 'device';
  clientId: string;
  /** Id of the consent; for a token without a consent, a random id. */
  grantId: string;
  /** null without a consent: the client acts for itself, or nobody has accepted the device request yet. */
  subject: string | null;
  scope: string[];
  audience: string[];
  issuedAt: number;
  expiresAt: number;
  used: boolean;
  code?: { redirectUri: string; challenge: string; challengeMethod: string };
  device?: { userCode: string };
}

/** A login or consent request whose answer was redeemed (only in legacy mode), or a client assertion that was used. */
export interface HandledRow {
  sweepAt: number;
}

export interface KeyRow {
  kid: string;
  /** Private JWK. */
  jwk: Record<string, unknown>;
}

export interface Rows {
  clients: ClientRow;
  sessions: SessionRow;
  consents: ConsentRow;
  logouts: LogoutRow;
  tokens: TokenRow;
  handled: HandledRow;
  keys: KeyRow;
}
export type TableName = keyof Rows;
