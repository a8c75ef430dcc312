/**
 * Reads the identities of an imported line, and refuses those that do not match a configured provider. With an identity of a provider that
 * is not configured, nobody can sign in; an identity with the issuer of another provider would let people of that provider sign in to
 * the account.
 */
import type { ImportedIdentity } from '../../accounts/identities/imported-identities.js';
import { toDisplayLabel } from '../../providers/display-label.js';
import type { IdentityProviders } from '../../providers/identity-providers.port.js';
import { ImportedProviderBody } from './account-bodies.js';
import { OperatorFault } from './operator-fault.js';
import { operatorBodyPipe, removeNulls } from './operator-body.pipe.js';
import { quote } from './quote.js';
import { defined } from '../../config/defined.js';

/**
 * Reads at most one entry more than the number of providers: two of these entries then name the same provider, which
 * `checkIdentities` refuses.
 */
export async function readIdentities(list: readonly unknown[], providers: IdentityProviders): Promise<ImportedIdentity[]> {
  const identities: ImportedIdentity[] = [];
  for (const [index, entry] of list.slice(0, providers.list().length + 1).entries()) {
    identities.push(await prefixErrors(`providers[${index}]`, () => readIdentity(entry, providers)));
  }
  return identities;
}

async function readIdentity(entry: unknown, providers: IdentityProviders): Promise<ImportedIdentity> {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new OperatorFault(400, 'wrong_type', 'must be a JSON object.');
  }
  const {
    provider,
    issuer: requestedIssuer,
    subject,
    label,
    connected_at,
  } = await operatorBodyPipe.read(ImportedProviderBody, removeNulls(entry));
  requireConfigured(provider, providers);
  const issuer = providers.findIssuer(provider, requestedIssuer);
  if (issuer === null) throw buildIssuerFault(provider, requestedIssuer);
  return {
    provider,
    issuer,
    subject,
    label: toDisplayLabel(label),
    ...defined({ connectedAt: connected_at }),
  };
}

function requireConfigured(provider: string, providers: IdentityProviders): void {
  if (providers.find(provider)) return;
  const ids = providers.list().map(({ id }) => id);
  const alternatives = ids.length === 0 ? 'no provider is configured' : `the configured providers are ${ids.join(', ')}`;
  const message = `the provider ${quote(provider)} is not configured; ${alternatives}.`;
  throw new OperatorFault(422, 'provider_not_set_up', message, { field: 'provider' });
}

function buildIssuerFault(provider: string, requestedIssuer: string | undefined): OperatorFault {
  if (requestedIssuer !== undefined) {
    return new OperatorFault(422, 'wrong_issuer', `${provider} is not configured with this issuer.`, { field: 'issuer' });
  }
  return new OperatorFault(400, 'missing', `issuer is missing; ${provider} has several issuers.`, { field: 'issuer' });
}

/** Adds the name of the list entry to the errors of `work`. */
async function prefixErrors<T>(entry: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    const { field } = error.hints;
    const hints = { ...error.hints, field: field === undefined ? entry : `${entry}.${field}` };
    throw new OperatorFault(error.status, error.code, `${entry}: ${error.message}`, hints);
  }
}
