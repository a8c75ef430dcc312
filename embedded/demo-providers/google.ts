/** Google's dialect: one issuer, numeric subjects, `hd` for companies, a picture in the profile. */
import { buildCommonMetadata, type Dialect } from './dialect.js';
import { toName } from './people.js';

const buildIssuer = (origin: string): string => `${origin}/google`;

export const google: Dialect = {
  id: 'google',
  title: 'Google',
  paths: {
    metadata: '/google/.well-known/openid-configuration',
    authorize: '/google/o/oauth2/v2/auth',
    token: '/google/token',
    keys: '/google/oauth2/v3/certs',
  },
  algorithm: 'RS256',
  clientAuthentication: ['post', 'basic'],
  cancelError: 'access_denied',
  sendsIssuer: false,
  metadata: (origin) => ({
    ...buildCommonMetadata(buildIssuer(origin), {
      authorize: `${origin}/google/o/oauth2/v2/auth`,
      token: `${origin}/google/token`,
      keys: `${origin}/google/oauth2/v3/certs`,
    }),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['plain', 'S256'],
  }),
  issuer: buildIssuer,
  subject: ({ google: { sub } }) => sub,
  claims: (person, { scopes }, clientId) => ({
    azp: clientId,
    ...(person.google.hd === undefined ? {} : { hd: person.google.hd }),
    ...(scopes.includes('email') ? { email: person.email, email_verified: true } : {}),
    ...(scopes.includes('profile')
      ? {
          name: toName(person),
          given_name: person.givenName,
          family_name: person.familyName,
          picture: `https://lh3.googleusercontent.com/a/${person.key}=s96-c`,
        }
      : {}),
  }),
  sendsAuthTime: ({ requestsAuthTime }) => requestsAuthTime,
  serves: () => true,
  findError: ({ scopes }) => (scopes.includes('openid') ? null : 'invalid_scope'),
  extraParameters: ({ scopes }) => ({ scope: scopes.join(' '), authuser: '0', prompt: 'consent' }),
};
