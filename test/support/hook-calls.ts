/** Calls of the token hook as Hydra makes them, with the members that v2.3.0 and v26.2.0 send. */
import type { OutgoingHttpHeaders } from 'node:http';
import { HOOK_KEY_HEADER, TOKEN_HOOK_PATH } from '../../src/operator/hooks/hook-key.js';
import { send, type OperatorAnswer } from './operator.js';

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

export function callHook(
  { url }: { url: string },
  key: string | undefined,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): Promise<OperatorAnswer> {
  const port = Number(new URL(url).port);
  const own = { 'content-type': 'application/json; charset=UTF-8', [HOOK_KEY_HEADER]: key, ...headers };
  return send({ method: 'POST', port, path: TOKEN_HOOK_PATH, body, headers: own });
}
