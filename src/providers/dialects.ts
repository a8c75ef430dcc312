/** The dialects. Google and plain OpenID Connect differ only in labels; Microsoft and Apple have their own files. */
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
    parameters: (beginning) => ({
      ...googleLanguage(beginning.uiLocales?.[0]),
      ...accountChoice(beginning),
      ...googleAge(beginning),
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
    parameters: (beginning) => ({ ...languageParameter('ui_locales', beginning), ...reauthenticationOrChoice(beginning) }),
    label: ({ name, preferred_username: username }) => displayLabel(name) ?? displayLabel(username),
  };
}

/**
 * Google does not authenticate people again on request. It says when they did, if the operator has switched on "session
 * age claims" (Google's security bundle).
 */
function googleAge({ reauthentication }: ProviderRequest): Record<string, string> {
  if (!reauthentication) return {};
  return {
    max_age: String(reauthentication.maxAgeSeconds),
    claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
  };
}

/** Google accepts one language, in a parameter of its own. */
function googleLanguage(locale: string | undefined): Record<string, string> {
  return locale === undefined ? {} : { hl: locale };
}
