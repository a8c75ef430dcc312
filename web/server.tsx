/**
 * Renders pages on the server: the content of `#root`, the title, and the list of chunks that the browser needs. The gateway writes the
 * document around this content. This file is built as a separate bundle, so the gateway passes the phrases to the renderer.
 */
import { renderToString } from 'react-dom/server';
import type { i18n as I18n } from 'i18next';
import type { Locale } from '../src/contract/locale.js';
import type { PageName, PageState } from '../src/contract/page-state.js';
import { App, loadAllPages, toScreen, chooseState, toTitle } from './app.js';
import { createPageI18n, type Texts } from './i18n/page-i18n.js';
import { findPhrasesForPage } from './i18n/page-sections.js';

await loadAllPages();

export interface RenderedPage {
  title: string;
  markup: string;
  rootClass: string;
  page: PageName;
  /** The chunks that the document preloads for this page, as keys of the browser build's manifest. */
  modules: string[];
}

export interface Renderer {
  /** @param path path of the address, without the query */
  render(state: PageState, path: string): RenderedPage;
  /** @returns the phrases that the browser loads for a page in one language */
  phrases(locale: Locale, page: PageName): Readonly<Record<string, string>>;
}

/** @param languages all languages that a page state may have */
export function createRenderer(languages: readonly Texts[]): Renderer {
  const languagesByLocale = new Map(
    languages.map((texts) => [texts.locale, { texts: texts.phrases, i18n: createPageI18n(texts) }]),
  );
  const getLanguage = (locale: Locale) => {
    const language = languagesByLocale.get(locale);
    if (!language) throw new Error(`The language ${locale} is not offered.`);
    return language;
  };
  return {
    render: (state, path) => renderPage(state, path, getLanguage(state.locale).i18n),
    phrases: (locale, page) => findPhrasesForPage(getLanguage(locale).texts, page),
  };
}

function renderPage(state: PageState, path: string, i18n: I18n): RenderedPage {
  const pageState = chooseState(path, state);
  const screen = toScreen(pageState).buildScreen();
  return {
    title: toTitle(screen, i18n.t, pageState),
    markup: renderToString(<App state={pageState} screen={screen} i18n={i18n} />),
    rootClass: isWide(pageState) ? 'shell wide' : 'shell',
    page: pageState.page,
    modules: [`pages/${pageState.page.replaceAll('_', '-')}.tsx`],
  };
}

/** The account area is wide, except for the page that asks for a proof and the error page. These two are small cards like all others. */
function isWide({ page }: PageState): boolean {
  return page.startsWith('manage') && page !== 'manage_confirm' && page !== 'manage_error';
}
