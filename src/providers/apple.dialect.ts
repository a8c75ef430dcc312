/**
 * Apple: the callback is a form POST. It contains the person's name, unsigned and only at the first consent. The endpoints are
 * taken from Apple's documentation, because Apple's metadata has named a different issuer than its tokens.
 */
import type { ProviderSettings } from '../config/config.js';
import type { Dialect } from './dialect.js';
import { toDisplayLabel } from './display-label.js';

const USER_LENGTH = 4096;

export function buildAppleDialect({ issuer }: ProviderSettings): Dialect {
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
    // Apple supports no selection of accounts or language, and no reauthentication on request. Its ID tokens have `auth_time`.
    buildParameters: () => ({}),
    toLabel: (_claims, parameters) => toName(parameters.get('user')),
  };
}

/** @param user JSON: `{"name": {"firstName", "lastName"}, "email"}`. The e-mail address is unverified and ignored. */
function toName(user: string | null): string | null {
  if (user === null || user.length > USER_LENGTH) return null;
  try {
    const { name } = (JSON.parse(user) ?? {}) as { name?: { firstName?: unknown; lastName?: unknown } | null };
    const parts = [toDisplayLabel(name?.firstName), toDisplayLabel(name?.lastName)];
    return toDisplayLabel(parts.filter((part) => part !== null).join(' '));
  } catch {
    return null;
  }
}
