/**
 * The errors that Hydra reports at `/error`: its codes and the first sentences of its descriptions. Anybody can create such an
 * address, so any other text is marked as not being from Hydra.
 */
const CODES: readonly string[] = [
  ...['invalid_request', 'unauthorized_client', 'access_denied', 'unsupported_response_type', 'unsupported_response_mode'],
  ...['invalid_scope', 'server_error', 'temporarily_unavailable', 'unsupported_grant_type', 'invalid_grant', 'invalid_client'],
  ...['invalid_state', 'request_unauthorized', 'request_forbidden', 'not_found', 'login_required', 'consent_required'],
  ...['interaction_required', 'request_not_supported', 'request_uri_not_supported', 'registration_not_supported'],
  'unmet_authentication_requirements',
];

const SENTENCES: readonly string[] = [
  'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.',
  'The client is not authorized to request a token using this method.',
  'The resource owner or authorization server denied the request.',
  'The authorization server does not support obtaining a token using this method.',
  'The authorization server does not support obtaining a response using this response mode.',
  'The requested scope is invalid, unknown, or malformed.',
  'The authorization server encountered an unexpected condition that prevented it from fulfilling the request.',
  'The authorization server is currently unable to handle the request due to a temporary overloading or maintenance of the server.',
  'Client authentication failed (e.g., unknown client, no client authentication included, or unsupported authentication method).',
  'The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  'The state is missing or does not have enough characters and is therefore considered too weak.',
  'The request could not be authorized.',
  'The request is not allowed.',
  'The requested OAuth 2.0 Client does not exist.',
  'The login request has expired, please try again.',
  'The consent request has expired, please try again.',
  'No CSRF value available in the session cookie.',
  'The CSRF value from the token does not match the CSRF value from the data store.',
  'The Authorization Server requires End-User authentication.',
  'The Authorization Server requires End-User consent.',
  'The Authorization Server requires End-User interaction of some form to proceed.',
  'The OP does not support use of the request parameter.',
  'The OP does not support use of the request_uri parameter.',
  'The OP does not support use of the registration parameter.',
];

export interface ReportedError {
  /** Empty if Hydra does not define the code. */
  code: string;
  /** The sentences of Hydra with which the description begins; empty if there is none. */
  description: string;
  /** The text that is not from Hydra; empty if there is none. */
  foreignText: string;
}

export function toReportedError(error: string, description: string): ReportedError {
  const isKnown = CODES.includes(error);
  let rest = description;
  const sentences: string[] = [];
  for (;;) {
    const sentence = SENTENCES.find((candidate) => rest.startsWith(candidate));
    if (sentence === undefined) break;
    sentences.push(sentence);
    rest = rest.slice(sentence.length).trimStart();
  }
  const foreignText = [isKnown ? '' : error, rest].filter((text) => text !== '').join(': ');
  return { code: isKnown ? error : '', description: sentences.join(' '), foreignText };
}
