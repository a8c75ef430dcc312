/** What Hydra sends to the token hook: the members of v2.3.0 and v26.2.0. */
export interface HookToken {
  subject: string;
  clientId?: string;
  grantType?: string;
  scopes?: readonly string[];
  /** When the app was authorized. */
  authorizedAt?: Date;
  /** When the person signed in. Default: with the authorization. */
  authenticatedAt?: Date;
  sid?: string;
  /** Further claims that the token has. */
  idToken?: Record<string, unknown>;
  accessToken?: Record<string, unknown>;
  /** The subject that the app sees, if it is pairwise. */
  pairwise?: string;
}

export function hookBody(token: HookToken): Record<string, unknown> {
  const { subject, clientId = 'portal', grantType = 'refresh_token', scopes = ['openid', 'offline'], pairwise = subject } = token;
  const authorizedAt = token.authorizedAt ?? new Date();
  const [iat, auth_time] = [toTime(authorizedAt), toTime(token.authenticatedAt ?? authorizedAt)];
  const claims = {
    jti: '',
    iss: 'https://hydra.example',
    sub: pairwise,
    aud: [clientId],
    nonce: '',
    exp: '0001-01-01T00:00:00Z',
  };
  return {
    session: {
      id_token: {
        id_token_claims: { ...claims, iat, rat: iat, auth_time, ext: { sid: token.sid ?? 'a-session', ...token.idToken } },
        headers: { extra: { kid: 'a-key' } },
        expires_at: { access_token: '2030-01-01T00:00:00Z' },
        subject,
      },
      ...{ extra: token.accessToken ?? {}, kid: '', client_id: clientId, consent_challenge: 'a-consent' },
      ...{ exclude_not_before_claim: false, allowed_top_level_claims: [], mirror_top_level_claims: true },
    },
    request: {
      client_id: clientId,
      requested_scopes: scopes,
      granted_scopes: grantType === 'refresh_token' ? scopes : [],
      granted_audience: [],
      grant_types: [grantType],
      payload: { grant_type: [grantType] },
    },
  };
}

/** Whole seconds, as Hydra sends them. */
const toTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;
