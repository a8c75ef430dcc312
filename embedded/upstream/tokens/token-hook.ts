/** Calls the token hook before tokens are issued, as Hydra does (`oauth2.token_hook`), but without Hydra's two retries. */
import type { Core } from '../core.js';
import { decodeBody, decodeValue, UnreadableBody } from '../http/json-body.js';
import { OAuthError } from '../oauth-error.js';
import type { ClientRow, ConsentRow, TokenClaims } from '../store/rows.js';
import { SESSION_SHAPE, toSessionClaims } from './id-token.js';

export interface TokenHookRequest {
  client: ClientRow;
  /** null if the client acts for itself. */
  consent: ConsentRow | null;
  grantType: string;
  requestedScope: readonly string[];
  /** Hydra sends the granted scopes only for a refresh, and for a client that acts for itself. */
  grantedScope: readonly string[];
  grantedAudience: readonly string[];
  /** All parameters of the request, also those that the grant ignores; a repeated one has several values. */
  form: Readonly<Record<string, unknown>>;
}

const TIMEOUT_MS = 10_000;
const TARGET_ERROR = 'The token hook target responded with an error.';
const ANSWER_SHAPE = { type: 'oauth2.TokenHookResponse', fields: { session: 'struct' } } as const;
/** Hydra sends Go's zero time where a time is missing. */
const ZERO_TIME = '0001-01-01T00:00:00Z';
/** The parameters that the hook receives. Those with secrets are left out, as in Hydra. */
const HOOK_PARAMETERS = ['grant_type', 'response_type', 'scope', 'client_id', 'assertion'];

/** @returns the new claims of the token; null if its claims stay the same (status 204). @throws OAuthError if no token may be issued */
export async function callTokenHook(core: Core, request: TokenHookRequest): Promise<TokenClaims | null> {
  const { tokenHook } = core.settings;
  if (tokenHook === undefined) return null;
  const { url, header } = tokenHook;
  const headers = { 'Content-Type': 'application/json; charset=UTF-8', ...(header ? { [header.name]: header.value } : {}) };
  try {
    const body = JSON.stringify(buildBody(core, request));
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status === 204) return null;
    if (answer.status === 200) return toTokenClaims(await answer.text());
    await answer.body?.cancel();
    throw OAuthError.create(answer.status === 403 ? 'access_denied' : 'server_error', undefined, TARGET_ERROR);
  } catch (error) {
    if (error instanceof OAuthError) throw error;
    if (error instanceof UnreadableBody) throw OAuthError.create('server_error', undefined, TARGET_ERROR);
    throw OAuthError.create('server_error', undefined, 'An error occurred while executing the token hook.');
  }
}

function buildBody(core: Core, { client, consent, grantType, form, ...request }: TokenHookRequest): object {
  const clientId = client.client_id;
  const names = HOOK_PARAMETERS.filter((name) => form[name] !== undefined);
  return {
    session: {
      id_token: consent === null ? buildClientToken(core, clientId) : buildIdToken(core, consent),
      ...{ extra: consent === null ? {} : toSessionClaims(consent).accessToken, kid: '', client_id: clientId },
      ...{ consent_challenge: consent?.consentId ?? '', exclude_not_before_claim: false },
      ...{ allowed_top_level_claims: [], mirror_top_level_claims: true },
    },
    request: {
      client_id: clientId,
      requested_scopes: request.requestedScope,
      granted_scopes: request.grantedScope,
      granted_audience: request.grantedAudience,
      grant_types: [grantType],
      payload: Object.fromEntries(names.map((name) => [name, [form[name]].flat()])),
    },
  };
}

function buildIdToken(core: Core, consent: ConsentRow): object {
  const { subject, clientId, nonce, acr, amr, requestedAt, authenticatedAt, handledAtMs } = consent;
  return {
    id_token_claims: {
      ...{ jti: '', iss: core.settings.issuer, sub: subject, aud: [clientId], nonce, exp: ZERO_TIME },
      ...{ iat: toTime(handledAtMs / 1000), rat: toTime(requestedAt), auth_time: toTime(authenticatedAt) },
      ...{ at_hash: '', acr, amr, c_hash: '', ext: toSessionClaims(consent).idToken },
    },
    headers: { extra: { kid: core.signer.kid } },
    ...{ expires_at: {}, subject },
  };
}

function buildClientToken(core: Core, clientId: string): object {
  const iat = toTime(core.nowSeconds());
  return {
    id_token_claims: {
      ...{
        jti: '',
        iss: core.settings.issuer,
        sub: '',
        aud: null,
        nonce: '',
        exp: ZERO_TIME,
        iat,
        rat: ZERO_TIME,
        auth_time: ZERO_TIME,
      },
      ...{ at_hash: '', acr: '', amr: null, c_hash: '', ext: null },
    },
    headers: { extra: null },
    ...{ expires_at: {}, subject: clientId },
  };
}

/** Whole seconds, as Hydra sends them. */
function toTime(seconds: number): string {
  return new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}

/** @throws UnreadableBody */
function toTokenClaims(text: string): TokenClaims {
  const { session = null } = decodeBody(text, ANSWER_SHAPE);
  const { access_token: accessToken = {}, id_token: idToken = {} } = decodeValue(session, SESSION_SHAPE);
  return { accessToken, idToken };
}
