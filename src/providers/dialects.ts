/**
 * The dialects of Google and of plain OpenID Connect, and the table of all OpenID dialects. Microsoft and Apple have their own
 * files.
 */
import type { ProviderSettings } from '../config/config.js';
import { isOAuthType, type OAuthType } from '../config/provider-presets.js';
import { buildAppleDialect } from './apple.dialect.js';
import {
  buildAccountChoice,
  buildLanguageParameter,
  buildDocument,
  buildLoginHint,
  buildReauthenticationOrChoice,
  type Dialect,
} from './dialect.js';
import { toDisplayLabel } from './display-label.js';
import type { ProviderRequest } from './identity-providers.port.js';
import { buildMicrosoftDialect } from './microsoft.dialect.js';

type OpenIdDialect = Exclude<ProviderSettings['dialect'], OAuthType>;

const DIALECTS: Readonly<Record<OpenIdDialect, (settings: ProviderSettings) => Dialect>> = {
  google: (settings) => ({
    ...buildPlainDialect(settings),
    brand: 'google',
    buildParameters: (request) => ({
      ...buildGoogleLanguage(request.uiLocales?.[0]),
      ...buildAccountChoice(request),
      ...buildLoginHint(request),
      ...buildGoogleAge(request),
    }),
  }),
  microsoft: (settings) => buildMicrosoftDialect(settings),
  apple: (settings) => buildAppleDialect(settings),
  oidc: (settings) => buildPlainDialect(settings),
};

export function toDialect(settings: ProviderSettings): Dialect {
  const { dialect } = settings;
  if (isOAuthType(dialect)) throw new Error(`${dialect} is not an OpenID provider.`);
  return DIALECTS[dialect](settings);
}

function buildPlainDialect({ issuer }: ProviderSettings): Dialect {
  return {
    brand: null,
    responseMode: 'query',
    metadata: buildDocument(issuer),
    buildParameters: (request) => ({
      ...buildLanguageParameter('ui_locales', request),
      ...buildReauthenticationOrChoice(request),
      ...buildLoginHint(request),
    }),
    toLabel: ({ name, preferred_username: username }) => toDisplayLabel(name) ?? toDisplayLabel(username),
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

/** Google accepts one language, in the parameter `hl`. */
function buildGoogleLanguage(locale: string | undefined): Record<string, string> {
  return locale === undefined ? {} : { hl: locale };
}
