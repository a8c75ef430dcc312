/**
 * Renders a page on the server: the inside of `#root`, its title, and which chunks the browser will need. The gateway
 * writes the document around it.
 */
import { renderToString } from 'react-dom/server';
import type { PageState } from '../src/contract/page-state.js';
import { App, loadAllPages, screenOf, stateFor, titleOf } from './app.js';
import { builtInI18n } from './i18n/built-in-i18n.js';
import { phrasesModule } from './i18n/phrases-module.js';

await loadAllPages();

export interface RenderedPage {
  title: string;
  markup: string;
  rootClass: string;
  /** Keys of the browser build's manifest: the chunks of this page and of its language, to be preloaded. */
  modules: string[];
}

/** @param path the path of the address, without query */
export function render(state: PageState, path: string): RenderedPage {
  const shown = stateFor(path, state);
  const i18n = builtInI18n(state.locale);
  const screen = screenOf(shown).screen();
  return {
    title: titleOf(screen, i18n.t, state.app.name),
    markup: renderToString(<App state={shown} screen={screen} i18n={i18n} />),
    rootClass: isWide(shown) ? 'shell wide' : 'shell',
    modules: [`pages/${shown.page.replaceAll('_', '-')}.tsx`, `../${phrasesModule(state.locale, shown.page)}`],
  };
}

/** The panels of the account area need width; its questions and errors are small cards like all other pages. */
function isWide({ page }: PageState): boolean {
  return page.startsWith('manage') && page !== 'manage_confirm' && page !== 'manage_error';
}
