/**
 * Hydrates the page in the browser with the state and phrases that the server used. Without script, or if a chunk cannot be loaded,
 * the page stays as the server rendered it.
 */
import { createInstance, type i18n as I18n } from 'i18next';
import { useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import type { PageState } from '../src/contract/page-state.js';
import { App, toScreen, chooseState, toTitle } from './app.js';
import { keepLocale, choosePreferredLocale } from './browser/language.js';
import { hasPhrases, createLocaleBackend, createPhraseLoaders } from './browser/locale-backend.js';
import { markReady, readPageRoot, showLanguage } from './browser/page-root.js';
import type { Screen } from './pages/lazy-page.js';
import { I18N_OPTIONS } from './i18n/options.js';
import './styles/index.css';

async function start(): Promise<void> {
  const { root, state: serverState, phrases: addresses, path } = readPageRoot();
  const state = chooseState(path, serverState);
  const page = toScreen(state);
  const i18n = createInstance().use(createLocaleBackend(createPhraseLoaders(addresses)));
  const pageOptions = { lng: state.locale, ns: state.page, defaultNS: state.page };
  await Promise.all([i18n.init({ ...I18N_OPTIONS, ...pageOptions }), page.load()]);
  if (!hasPhrases(i18n, state.locale, state.page)) return;
  hydrateRoot(root, <LivePage i18n={i18n} state={state} screen={page.buildScreen()} />);
}

function LivePage({ i18n, state, screen }: { i18n: I18n; state: PageState; screen: Screen }) {
  const { t } = useTranslation(undefined, { i18n });
  const { language } = i18n;
  const title = toTitle(screen, t, state);
  const dir = state.app.language_links?.find(({ locale }) => locale === language)?.dir;
  useEffect(() => showLanguage({ locale: language, dir }, title), [language, dir, title]);
  useEffect(markReady, []);
  // The language changes after hydration, because hydration needs the language of the server's markup.
  useEffect(() => void preferLanguage(i18n, state), [i18n, state]);
  return <App state={state} screen={screen} i18n={i18n} />;
}

async function preferLanguage(i18n: I18n, state: PageState): Promise<void> {
  const locale = choosePreferredLocale(state);
  await i18n.loadLanguages(locale);
  if (!hasPhrases(i18n, locale, state.page)) return;
  if (locale !== state.locale) await i18n.changeLanguage(locale);
  keepLocale(locale, state);
}

void start();
