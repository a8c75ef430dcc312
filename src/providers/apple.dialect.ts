/**
 * Apple: the answer comes by a form post of its page, and the name stands beside the code, unsigned, at the very first
 * consent and never again. Its addresses are those of its manual: its metadata have named an issuer before now that its
 * tokens did not.
 */
import type { ProviderSettings } from '../config/config.js';
import type { Dialect } from './dialect.js';
import { displayLabel } from './display-label.js';

const USER_LENGTH = 4096;

export function appleDialect({ issuer }: ProviderSettings): Dialect {
  return {
    brand: 'apple',
    responseMode: 'form_post',
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/auth/authorize`,
      token_endpoint: `${issuer}/auth/token`,
      jwks_uri: `${issuer}/auth/keys`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
    // It has neither a choice of accounts nor of languages.
    parameters: () => ({}),
    label: (_claims, parameters) => nameOf(parameters.get('user')),
  };
}

/** `{"name": {"firstName", "lastName"}, "email"}`. The e-mail address in it is anybody's claim: it is not looked at. */
function nameOf(user: string | null): string | null {
  if (user === null || user.length > USER_LENGTH) return null;
  try {
    const { name } = (JSON.parse(user) ?? {}) as { name?: { firstName?: unknown; lastName?: unknown } | null };
    const parts = [displayLabel(name?.firstName), displayLabel(name?.lastName)];
    return displayLabel(parts.filter((part) => part !== null).join(' '));
  } catch {
    return null;
  }
}
