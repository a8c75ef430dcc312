/** The dialects. Google and plain OpenID Connect differ only in labels; Microsoft and Apple have their own files. */
import type { ProviderSettings } from '../config/config.js';
import { appleDialect } from './apple.dialect.js';
import { accountChoice, languageParameter, documentOf } from './dialect.js';
import type { Dialect } from './dialect.js';
import { displayLabel } from './display-label.js';
import { microsoftDialect } from './microsoft.dialect.js';

const DIALECTS: Readonly<Record<ProviderSettings['dialect'], (settings: ProviderSettings) => Dialect>> = {
  google: (settings) => ({
    ...plainDialect(settings),
    brand: 'google',
    parameters: (beginning) => ({ ...googleLanguage(beginning.uiLocales?.[0]), ...accountChoice(beginning) }),
  }),
  microsoft: (settings) => microsoftDialect(settings),
  apple: (settings) => appleDialect(settings),
  oidc: (settings) => plainDialect(settings),
};

export function dialectOf(settings: ProviderSettings): Dialect {
  return DIALECTS[settings.dialect](settings);
}

function plainDialect({ issuer }: ProviderSettings): Dialect {
  return {
    brand: null,
    responseMode: 'query',
    metadata: documentOf(issuer),
    parameters: (beginning) => ({ ...languageParameter('ui_locales', beginning), ...accountChoice(beginning) }),
    label: ({ name, preferred_username: username }) => displayLabel(name) ?? displayLabel(username),
  };
}

/** Google accepts one language, in a parameter of its own. */
function googleLanguage(locale: string | undefined): Record<string, string> {
  return locale === undefined ? {} : { hl: locale };
}
