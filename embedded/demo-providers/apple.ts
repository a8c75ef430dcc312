/**
 * Apple's dialect: requires a form post for the name or the e-mail address, and a signed client secret; sends the name once and
 * outside the token, and writes the booleans about the e-mail address as strings.
 */
import { buildCommonMetadata, type Dialect } from './dialect.js';

const buildIssuer = (origin: string): string => `${origin}/apple`;

export const apple: Dialect = {
  id: 'apple',
  title: 'Apple',
  paths: {
    metadata: '/apple/.well-known/openid-configuration',
    authorize: '/apple/auth/authorize',
    token: '/apple/auth/token',
    keys: '/apple/auth/keys',
  },
  algorithm: 'RS256',
  clientAuthentication: ['signed-secret'],
  cancelError: 'user_cancelled_authorize',
  sendsIssuer: false,
  metadata: (origin) => ({
    ...buildCommonMetadata(buildIssuer(origin), {
      authorize: `${origin}/apple/auth/authorize`,
      token: `${origin}/apple/auth/token`,
      keys: `${origin}/apple/auth/keys`,
    }),
    code_challenge_methods_supported: undefined,
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'name'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  }),
  issuer: buildIssuer,
  subject: ({ apple: { sub } }) => sub,
  claims: (person, { scopes }) => ({
    nonce_supported: true,
    ...(scopes.includes('email') ? { email: person.email, email_verified: 'true', is_private_email: 'false' } : {}),
  }),
  sendsAuthTime: () => true,
  serves: () => true,
  findError: ({ scopes, responseMode }) => {
    const requestsUserData = scopes.includes('name') || scopes.includes('email');
    return requestsUserData && responseMode !== 'form_post' ? 'invalid_request' : null;
  },
  extraParameters: ({ scopes }, { givenName, familyName, email }, isFirstConsent) => {
    if (!isFirstConsent) return {};
    const name = scopes.includes('name') ? { name: { firstName: givenName, lastName: familyName } } : {};
    const address = scopes.includes('email') ? { email } : {};
    return Object.keys({ ...name, ...address }).length === 0 ? {} : { user: JSON.stringify({ ...name, ...address }) };
  },
};
