/** Leads people whose address has a provider's domain to that provider (`domains`). */
import { findTypedDomain } from '../../config/domains.js';
import { FIELDS, PROVIDER_QUERY } from '../../contract/form-fields.js';
import type { ProviderProfile } from '../../providers/identity-providers.port.js';
import { toProviderUrl } from './login-url.js';

/** The longest address (RFC 5321, sections 4.5.3.1.1 and 4.5.3.1.2). */
const MAX_HINT_LENGTH = 320;

interface TypedAddress {
  challenge: string;
  /** As typed. */
  username: string;
  remember?: string | undefined;
}

/**
 * Nothing is looked up, so the answer is the same whether or not an account has the address.
 * @returns the URL that leads to the provider; null if no provider has the domain
 */
export function findProviderUrl(
  providers: readonly ProviderProfile[],
  { challenge, username, remember }: TypedAddress,
): string | null {
  const domain = findTypedDomain(username);
  const provider = domain === null ? undefined : providers.find(({ domains }) => domains?.includes(domain));
  if (!provider) return null;
  const hint = username.trim();
  return toProviderUrl(provider.id, challenge, {
    ...(remember === 'true' ? { [FIELDS.remember]: remember } : {}),
    ...(hint.length <= MAX_HINT_LENGTH ? { [PROVIDER_QUERY.loginHint]: hint } : {}),
  });
}
