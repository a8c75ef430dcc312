/**
 * Renders a page on the server: the inside of `#root`, its title, and which chunks the browser will need. The gateway
 * writes the document around it.
 */
import { renderToString } from 'react-dom/server';
import type { PageState } from '../src/contract/page-state.js';
import { App, loadAllPages, screenOf, stateFor, titleOf } from './app.js';
import { builtInPhrases } from './phrases/built-in-phrases.js';
import { phrasesModule } from './phrases/phrases-module.js';

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
  const phrases = builtInPhrases(state.locale);
  const screen = screenOf(shown).screen();
  return {
    title: titleOf(screen, phrases, state.app.name),
    markup: renderToString(<App state={shown} screen={screen} phrases={phrases} />),
    rootClass: isWide(shown) ? 'shell wide' : 'shell',
    modules: [`pages/${shown.page.replaceAll('_', '-')}.tsx`, `../${phrasesModule(phrases.locale, shown.page)}`],
  };
}

/** The account area has room for boards; its questions and errors are small cards like everywhere. */
function isWide({ page }: PageState): boolean {
  return page.startsWith('manage') && page !== 'manage_confirm' && page !== 'manage_error';
}
