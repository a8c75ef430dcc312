/**
 * Parses an authorization request (RFC 6749, section 4.1.1). The order of the checks is Hydra's, because it decides whether an error
 * is sent to the client or only shown to the person.
 */
import type { Core } from '../core.js';
import type { Query } from '../http/query.js';
import { OAuthError } from '../oauth-error.js';
import type { ClientRow } from '../store/rows.js';
import { chooseRedirectUri } from './redirect-uris.js';
import { readAudiences, readScopes, requireAudiences, requireScopes, splitWords } from './scopes.js';

const MIN_STATE_BYTES = 8;
const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** Where the answer is sent. The members are filled in while the request is parsed. */
export interface ReplyAddress {
  /** null until the redirect address is known to belong to the client. */
  redirectUri: string | null;
  responseMode: ResponseMode;
  state: string;
}

export interface AuthorizeRequest {
  form: Query;
  client: ClientRow;
  redirectUri: string;
  scope: string[];
  audience: string[];
}

/** @throws OAuthError; `reply` then contains the members that were read before the error */
export function readAuthorizeRequest(core: Core, form: Query, reply: ReplyAddress): AuthorizeRequest {
  reply.state = form.first('state');
  const client = core.store.clients.get(form.first('client_id'));
  if (!client) throw OAuthError.create('invalid_client', 'The requested OAuth 2.0 Client does not exist.');
  const scope = readScopes(form.first('scope'));
  reply.responseMode = readResponseMode(form.first('response_mode'));
  const redirectUri = readRedirectUri(client, form, scope);
  reply.redirectUri = redirectUri;
  refuseRequestObject(form, scope);
  requireScopes(client, scope);
  const audience = readAudiences(form.getAll('audience'));
  requireAudiences(client, audience);
  if (form.first('registration') !== '') throw OAuthError.create('registration_not_supported');
  requireCodeResponse(client, form.first('response_type'));
  requireState(reply.state);
  return { form, client, redirectUri, scope, audience };
}

/** Request objects are not supported, as the discovery document states (OpenID Connect Core, sections 6.1 and 6.2). */
function refuseRequestObject(form: Query, scope: readonly string[]): void {
  if (!scope.includes('openid')) return;
  if (form.first('request') !== '') throw OAuthError.create('request_not_supported');
  if (form.first('request_uri') !== '') throw OAuthError.create('request_uri_not_supported');
}

function readResponseMode(text: string): ResponseMode {
  const mode = text === '' ? 'query' : RESPONSE_MODES.find((responseMode) => responseMode === text);
  if (!mode) throw OAuthError.create('unsupported_response_mode', `Request with unsupported response_mode '${text}'.`);
  return mode;
}

function readRedirectUri(client: ClientRow, form: Query, scope: readonly string[]): string {
  const requestedUri = form.first('redirect_uri');
  if (requestedUri === '' && scope.includes('openid')) {
    throw OAuthError.create('invalid_request', "The 'redirect_uri' parameter is required when using OpenID Connect 1.0.");
  }
  return chooseRedirectUri(client.redirect_uris, requestedUri);
}

/** The implicit and the hybrid flow are not supported, even for clients that are registered for them. */
function requireCodeResponse(client: ClientRow, responseType: string): void {
  const responseTypes = splitWords(responseType);
  if (responseTypes.length === 1 && responseTypes[0] === 'code' && client.response_types.includes('code')) return;
  throw OAuthError.create(
    'unsupported_response_type',
    responseTypes.length === 0
      ? "`The request is missing the 'response_type' parameter."
      : `The client is not allowed to request response_type '${responseType}'.`,
  );
}

function requireState(state: string): void {
  if (Buffer.byteLength(state) >= MIN_STATE_BYTES) return;
  throw OAuthError.create(
    'invalid_state',
    `Request parameter 'state' must be at least be ${MIN_STATE_BYTES} characters long to ensure sufficient entropy.`,
  );
}
