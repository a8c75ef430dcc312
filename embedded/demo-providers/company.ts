/**
 * A company's own OpenID provider with strict settings: ID tokens only with ES256, PKCE required, client_secret_basic or
 * private_key_jwt, `iss` in every answer to the client.
 */
import { buildCommonMetadata, type Dialect } from './dialect.js';
import { toName } from './people.js';

const buildIssuer = (origin: string): string => `${origin}/company/`;

export const company: Dialect = {
  id: 'company',
  title: 'Musterwerk',
  paths: {
    metadata: '/company/.well-known/openid-configuration',
    authorize: '/company/authorize',
    token: '/company/token',
    keys: '/company/keys',
    userinfo: '/company/userinfo',
  },
  algorithm: 'ES256',
  clientAuthentication: ['basic', 'assertion'],
  cancelError: 'access_denied',
  sendsIssuer: true,
  metadata: (origin) => ({
    ...buildCommonMetadata(buildIssuer(origin), {
      authorize: `${origin}/company/authorize`,
      token: `${origin}/company/token`,
      keys: `${origin}/company/keys`,
    }),
    userinfo_endpoint: `${origin}/company/userinfo`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
    ui_locales_supported: ['de', 'en'],
  }),
  issuer: buildIssuer,
  subject: ({ company: { sub } }) => sub,
  claims: (person, { scopes }) => ({
    ...(scopes.includes('profile') ? { name: toName(person), preferred_username: person.key } : {}),
    ...(scopes.includes('groups') ? { groups: person.company.groups } : {}),
  }),
  userinfo: ({ email }, { scopes }) => (scopes.includes('email') ? { email, email_verified: true } : {}),
  sendsAuthTime: ({ hasMaxAge }) => hasMaxAge,
  serves: () => true,
  findError: ({ scopes, codeChallenge }) => {
    if (!scopes.includes('openid')) return 'invalid_scope';
    return codeChallenge === null ? 'invalid_request' : null;
  },
  extraParameters: () => ({}),
};
