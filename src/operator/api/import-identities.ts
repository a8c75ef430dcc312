/**
 * Reads the identities of an imported line and compares them with the configured providers. An identity of an unknown
 * provider is useless, and a provider with a foreign issuer would give access to other accounts.
 */
import type { ImportedIdentity } from '../../accounts/identities/imported-identities.js';
import { displayLabel } from '../../providers/display-label.js';
import type { IdentityProviders } from '../../providers/identity-providers.port.js';
import { ImportedProviderBody } from './account-bodies.js';
import { OperatorFault } from './operator-fault.js';
import { operatorBodyPipe, withoutNulls } from './operator-body.pipe.js';
import { quoted } from './quoted.js';
import { defined } from '../../config/defined.js';

/** At most one more than there are providers: then one provider occurs twice, which `checkIdentities` refuses. */
export async function readIdentities(given: readonly unknown[], providers: IdentityProviders): Promise<ImportedIdentity[]> {
  const identities: ImportedIdentity[] = [];
  for (const [index, entry] of given.slice(0, providers.list().length + 1).entries()) {
    identities.push(await within(`providers[${index}]`, () => readIdentity(entry, providers)));
  }
  return identities;
}

async function readIdentity(entry: unknown, providers: IdentityProviders): Promise<ImportedIdentity> {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new OperatorFault(400, 'wrong_type', 'an object is wanted.');
  }
  const {
    provider,
    issuer: named,
    subject,
    label,
    connected_at,
  } = await operatorBodyPipe.read(ImportedProviderBody, withoutNulls(entry));
  requireSetUp(provider, providers);
  const issuer = providers.issuerFor(provider, named);
  if (issuer === null) throw unknownIssuer(provider, named);
  return {
    provider,
    issuer,
    subject,
    label: displayLabel(label),
    ...defined({ connectedAt: connected_at }),
  };
}

function requireSetUp(provider: string, providers: IdentityProviders): void {
  if (providers.find(provider)) return;
  const ids = providers.list().map(({ id }) => id);
  const others = ids.length === 0 ? 'none is' : `there are ${ids.join(', ')}`;
  const message = `the provider ${quoted(provider)} is not set up here; ${others}.`;
  throw new OperatorFault(422, 'provider_not_set_up', message, { field: 'provider' });
}

function unknownIssuer(provider: string, named: string | undefined): OperatorFault {
  if (named !== undefined) {
    return new OperatorFault(422, 'wrong_issuer', `${provider} does not speak for this issuer here.`, { field: 'issuer' });
  }
  return new OperatorFault(400, 'missing', `issuer is missing, and ${provider} has several.`, { field: 'issuer' });
}

/** Adds the list entry to the error. */
async function within<T>(entry: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    const { field } = error.hints;
    const hints = { ...error.hints, field: field === undefined ? entry : `${entry}.${field}` };
    throw new OperatorFault(error.status, error.code, `${entry}: ${error.message}`, hints);
  }
}
