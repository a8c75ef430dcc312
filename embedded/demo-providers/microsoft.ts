/**
 * Microsoft's dialect: a tenant in every path, an issuer pattern in metadata for more than one tenant, the tenant's own
 * issuer in tokens, and subjects that differ per client.
 */
import { createHash } from 'node:crypto';
import { buildCommonMetadata, type Dialect } from './dialect.js';
import { TENANTS, toName } from './people.js';

const TENANT_IDS: readonly string[] = Object.values(TENANTS);

/** @returns the tenant in the issuer of the metadata: a tenant id, or Microsoft's placeholder for it */
function findIssuerTenant(tenant: string): string {
  if (tenant === 'consumers') return TENANTS.personal;
  return TENANT_IDS.includes(tenant) ? tenant : '{tenantid}';
}

export const microsoft: Dialect = {
  id: 'microsoft',
  title: 'Microsoft',
  paths: {
    metadata: '/microsoft/:tenant/v2.0/.well-known/openid-configuration',
    authorize: '/microsoft/:tenant/oauth2/v2.0/authorize',
    token: '/microsoft/:tenant/oauth2/v2.0/token',
    keys: '/microsoft/:tenant/discovery/v2.0/keys',
  },
  algorithm: 'RS256',
  clientAuthentication: ['post', 'basic'],
  cancelError: 'access_denied',
  sendsIssuer: false,
  metadata: (origin, tenant) => ({
    ...buildCommonMetadata(`${origin}/microsoft/${findIssuerTenant(tenant)}/v2.0`, {
      authorize: `${origin}/microsoft/${tenant}/oauth2/v2.0/authorize`,
      token: `${origin}/microsoft/${tenant}/oauth2/v2.0/token`,
      keys: `${origin}/microsoft/${tenant}/discovery/v2.0/keys`,
    }),
    // Microsoft supports PKCE but does not list it in its metadata.
    code_challenge_methods_supported: undefined,
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    tenant_region_scope: 'EU',
  }),
  issuer: (origin, { microsoft: { tid } }) => `${origin}/microsoft/${tid}/v2.0`,
  subject: ({ microsoft: { oid, tid } }, clientId) =>
    createHash('sha256').update(`${clientId} ${tid} ${oid}`).digest('base64url'),
  claims: (person, { scopes }) => ({
    ver: '2.0',
    tid: person.microsoft.tid,
    oid: person.microsoft.oid,
    ...(scopes.includes('profile') ? { name: toName(person), preferred_username: person.email } : {}),
    ...(scopes.includes('email') ? { email: person.email } : {}),
  }),
  sendsAuthTime: () => true,
  serves: (tenant, { microsoft: { tid } }) => {
    if (tenant === 'organizations') return tid !== TENANTS.personal;
    if (tenant === 'consumers') return tid === TENANTS.personal;
    return tenant === 'common' || tenant === tid;
  },
  findError: ({ scopes }) => (scopes.includes('openid') ? null : 'invalid_scope'),
  extraParameters: () => ({ session_state: '1b0c9e64-27d1-4f7e-8a52-5f0d3c1e9b77' }),
};
