/**
 * Errors with Hydra's codes, statuses and texts (taken from answers of v26.2.0). A description is the summary of the
 * code, followed by an optional hint. The routes decide where an error goes: to a client, an error page or a JSON
 * body.
 */

type Kind = readonly [status: number, summary: string, hint?: string];

const KINDS = {
  invalid_request: [
    400,
    'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.',
    'Make sure that the various parameters are correct, be aware of case sensitivity and trim your parameters. Make sure that the client you are using has exactly whitelisted the redirect_uri you specified.',
  ],
  request_forbidden: [403, 'The request is not allowed.', 'You are not allowed to perform this action.'],
  request_unauthorized: [
    401,
    'The request could not be authorized.',
    'Check that you provided valid credentials in the right format.',
  ],
  unauthorized_client: [
    400,
    'The client is not authorized to request a token using this method.',
    'Make sure that client id and secret are correctly specified and that the client exists.',
  ],
  access_denied: [
    403,
    'The resource owner or authorization server denied the request.',
    'Make sure that the request you are making is valid. Maybe the credential or request parameters you are using are limited in scope or otherwise restricted.',
  ],
  unsupported_response_type: [400, 'The authorization server does not support obtaining a token using this method.'],
  unsupported_response_mode: [400, 'The authorization server does not support obtaining a response using this response mode.'],
  invalid_scope: [400, 'The requested scope is invalid, unknown, or malformed.'],
  invalid_grant: [
    400,
    'The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  ],
  invalid_client: [
    401,
    'Client authentication failed (e.g., unknown client, no client authentication included, or unsupported authentication method).',
  ],
  invalid_state: [400, 'The state is missing or does not have enough characters and is therefore considered too weak.'],
  server_error: [
    500,
    'The authorization server encountered an unexpected condition that prevented it from fulfilling the request.',
  ],
  login_required: [400, 'The Authorization Server requires End-User authentication.'],
  consent_required: [400, 'The Authorization Server requires End-User consent.'],
  request_not_supported: [400, 'The OP does not support use of the request parameter.'],
  request_uri_not_supported: [400, 'The OP does not support use of the request_uri parameter.'],
  registration_not_supported: [400, 'The OP does not support use of the registration parameter.'],
  authorization_pending: [
    400,
    "The authorization request is still pending as the end user hasn't yet completed the user-interaction steps.",
  ],
  invalid_client_metadata: [
    400,
    "The value of one of the Client Metadata fields is invalid and the server has rejected this request. Note that an Authorization Server MAY choose to substitute a valid value for any requested parameter of a Client's Metadata.",
  ],
  invalid_redirect_uri: [400, 'The value of one or more redirect_uris is invalid.'],
} satisfies Record<string, Kind>;

export type OAuthErrorCode = keyof typeof KINDS;

export interface OAuthErrorParts {
  code: string;
  status: number;
  summary: string;
  hint: string;
}

export class OAuthError extends Error {
  readonly code: string;
  readonly status: number;
  /** Hydra replaces double quotes with single ones, so that the text can be part of a quoted header value. */
  readonly description: string;

  constructor({ code, status, summary, hint }: OAuthErrorParts) {
    super(code);
    this.name = 'OAuthError';
    this.code = code;
    this.status = status;
    this.description = (hint === '' ? summary : `${summary} ${hint}`).replaceAll('"', "'");
  }

  /** @param hint replaces the code's default hint @param summary replaces its default summary */
  static create(code: OAuthErrorCode, hint?: string, summary?: string): OAuthError {
    const [status, usualSummary, usualHint = ''] = KINDS[code] as Kind;
    return new OAuthError({ code, status, summary: summary ?? usualSummary, hint: hint ?? usualHint });
  }
}

/** The answer to errors that are not OAuth errors. Clients learn nothing about the cause. */
const UNRECOGNIZABLE = { code: 'error', summary: 'The error is unrecognizable', hint: '' };

export const toUnrecognizable = (status: number): OAuthError => new OAuthError({ ...UNRECOGNIZABLE, status });

/** The answer if Hydra's storage finds no row, with the message of that storage; also for a rejected logout request. */
export const toNoSuchResource = (): OAuthError =>
  new OAuthError({ code: 'Unable to locate the resource', status: 404, summary: '', hint: '' });

/** The answer to a challenge or verifier that this upstream does not accept, for example because it was issued for another purpose. */
export const toNotFound = (): OAuthError =>
  new OAuthError({ code: 'Not Found', status: 404, summary: 'Unable to locate the requested resource', hint: '' });

/** The answer of the client routes to a body or a query that they cannot read, and to a patch that they cannot apply. */
export const toMalformed = (reason: string): OAuthError =>
  new OAuthError({
    code: 'The request was malformed or contained invalid parameters',
    status: 400,
    summary: reason,
    hint: '',
  });

export const toConflict = (reason: string, description = ''): OAuthError =>
  new OAuthError({ code: reason, status: 409, summary: description, hint: '' });
