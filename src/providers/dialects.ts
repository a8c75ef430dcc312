/**
 * The dialects of Google and of plain OpenID Connect, and the table of all of them. Microsoft and Apple have files of their own.
 */
import type { ProviderSettings } from '../config/config.js';
import { appleDialect } from './apple.dialect.js';
import { accountChoice, languageParameter, buildDocument, reauthenticationOrChoice, type Dialect } from './dialect.js';
import { displayLabel } from './display-label.js';
import type { ProviderRequest } from './identity-providers.port.js';
import { microsoftDialect } from './microsoft.dialect.js';

const DIALECTS: Readonly<Record<ProviderSettings['dialect'], (settings: ProviderSettings) => Dialect>> = {
  google: (settings) => ({
    ...plainDialect(settings),
    brand: 'google',
    parameters: (request) => ({
      ...buildGoogleLanguage(request.uiLocales?.[0]),
      ...accountChoice(request),
      ...buildGoogleAge(request),
    }),
  }),
  microsoft: (settings) => microsoftDialect(settings),
  apple: (settings) => appleDialect(settings),
  oidc: (settings) => plainDialect(settings),
};

export function toDialect(settings: ProviderSettings): Dialect {
  return DIALECTS[settings.dialect](settings);
}

function plainDialect({ issuer }: ProviderSettings): Dialect {
  return {
    brand: null,
    responseMode: 'query',
    metadata: buildDocument(issuer),
    parameters: (request) => ({ ...languageParameter('ui_locales', request), ...reauthenticationOrChoice(request) }),
    label: ({ name, preferred_username: username }) => displayLabel(name) ?? displayLabel(username),
  };
}

/**
 * Google does not authenticate people again on request. It returns `auth_time` if the operator has turned on "session age
 * claims" (Google's security bundle).
 */
function buildGoogleAge({ reauthentication }: ProviderRequest): Record<string, string> {
  if (!reauthentication) return {};
  return {
    max_age: String(reauthentication.maxAgeSeconds),
    claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
  };
}

/** Google accepts one language, in a parameter of its own. */
function buildGoogleLanguage(locale: string | undefined): Record<string, string> {
  return locale === undefined ? {} : { hl: locale };
}
