/**
 * The backend of i18next in the browser. Each page is a namespace. The phrases of a page in one language are a script whose address
 * is in the document. The connector of i18next repeats a failed read (I18-4).
 */
import type { BackendModule, i18n as I18n } from 'i18next';
import type { Locale } from '../../src/contract/locale.js';
import type { PageName } from '../../src/contract/page-state.js';

/** The phrases of the page, by language. */
export type PhraseLoaders = Readonly<Record<Locale, () => Promise<{ default: Record<string, string> }>>>;

/** @param addresses addresses of the scripts, by language */
export function createPhraseLoaders(addresses: Readonly<Record<Locale, string>>): PhraseLoaders {
  const loaders = Object.entries(addresses).map(([locale, address]) => [
    locale,
    () => import(/* @vite-ignore */ address) as Promise<{ default: Record<string, string> }>,
  ]);
  return Object.fromEntries(loaders) as PhraseLoaders;
}

export function createLocaleBackend(loaders: PhraseLoaders): BackendModule {
  return {
    type: 'backend',
    init: () => undefined,
    read(language, namespace, done) {
      const load = Object.prototype.hasOwnProperty.call(loaders, language) ? loaders[language] : undefined;
      if (!load) return done(new Error(`There are no phrases in ${language} for ${namespace}.`), false);
      load().then(
        (phrases) => done(null, phrases.default),
        // `true` makes the connector try again later.
        (reason: unknown) => done(reason instanceof Error ? reason : new Error(String(reason)), true),
      );
    },
  };
}

/** Checks that the phrases were loaded: if every attempt has failed, i18next reports no error and would show the keys. */
export function hasPhrases(i18n: I18n, locale: Locale, page: PageName): boolean {
  return i18n.hasResourceBundle(locale, page);
}
