/**
 * Microsoft Entra: one address for many tenants, each with its own issuer. The shared endpoints publish a pattern
 * (`{tenantid}`) as issuer, so this dialect decides which tenants are accepted. The token is then verified against the
 * issuer of its tenant.
 */
import type { ProviderSettings } from '../config/config.js';
import { buildDocument, buildLanguageParameter, buildLoginHint, buildReauthenticationOrChoice, type Dialect } from './dialect.js';
import { toDisplayLabel } from './display-label.js';
import { ProviderRefused } from './provider.errors.js';

const TENANT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The tenant of all personal accounts. */
const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad';

export function buildMicrosoftDialect({ issuer: address, tenants = ['common'] }: ProviderSettings): Dialect {
  const toIssuer = (tenant: string): string => `${address}/${tenant}/v2.0`;
  return {
    brand: 'microsoft',
    responseMode: 'query',
    metadata: {
      ...buildDocument(toIssuer(toEndpoint(tenants))),
      acceptsIssuer: (issuerName) => listAcceptedTenants(tenants).some((tenant) => toIssuer(tenant) === issuerName),
    },
    getIssuer: ({ tid }) => {
      if (typeof tid !== 'string' || !TENANT_ID.test(tid) || !isAllowed(tid, tenants)) {
        throw new ProviderRefused('the ID token names no tenant that the settings accept');
      }
      return toIssuer(tid);
    },
    findIssuer: (issuerName) => {
      const tenant = issuerName === undefined ? findOnlyTenant(tenants) : issuerName.split('/').at(-2);
      if (tenant === undefined || !TENANT_ID.test(tenant) || !isAllowed(tenant, tenants)) return null;
      const issuer = toIssuer(tenant);
      return issuerName === undefined || issuerName === issuer ? issuer : null;
    },
    // `auth_time` is an optional claim that the operator adds to the registered application.
    buildParameters: (request) => ({
      ...buildLanguageParameter('ui_locales', request),
      ...buildReauthenticationOrChoice(request),
      ...buildLoginHint(request),
    }),
    // People often have several Microsoft accounts with the same name; the sign-in name distinguishes them.
    toLabel: ({ name, preferred_username: username }) =>
      toDisplayLabel(joinNames(toDisplayLabel(name), toDisplayLabel(username))),
  };
}

/** A single tenant has its own endpoint. Several tenants share the endpoint for their kinds of account. */
function toEndpoint(tenants: readonly string[]): string {
  const [firstTenant = 'common'] = tenants;
  if (tenants.length === 1) return firstTenant;
  return tenants.includes(PERSONAL_TENANT) ? 'common' : 'organizations';
}

/**
 * Lists the tenants that the issuer in the metadata may name: the tenant itself at its own endpoint, the pattern at shared endpoints,
 * and also the tenant of personal accounts at the endpoint for them.
 */
function listAcceptedTenants(tenants: readonly string[]): readonly string[] {
  const [firstTenant = 'common'] = tenants;
  if (tenants.length === 1 && TENANT_ID.test(firstTenant)) return [firstTenant];
  return firstTenant === 'consumers' ? [PERSONAL_TENANT, '{tenantid}'] : ['{tenantid}'];
}

function findOnlyTenant(tenants: readonly string[]): string | undefined {
  if (tenants.length > 1) return undefined;
  return tenants[0] === 'consumers' ? PERSONAL_TENANT : tenants[0];
}

function isAllowed(tenant: string, tenants: readonly string[]): boolean {
  if (tenants.includes('common')) return true;
  if (tenants.includes('organizations')) return tenant !== PERSONAL_TENANT;
  return tenants.includes('consumers') ? tenant === PERSONAL_TENANT : tenants.includes(tenant);
}

function joinNames(name: string | null, username: string | null): string | null {
  return name === null || username === null || name === username ? (name ?? username) : `${name} (${username})`;
}
