/**
 * A page in its own chunk. The server loads all pages before the first request. The browser loads the page that it shows, which the
 * document preloads, before it hydrates, so there is no loading state.
 */
import type { ComponentType, ReactNode } from 'react';
import type { Phrase } from '../i18n/phrase.js';

/** What every file of `pages/` exports. The heading is also the title of the document. */
export interface PageModule<State> {
  heading(state: State): Phrase;
  Page: ComponentType<{ state: State }>;
}

export interface Screen {
  heading: Phrase;
  content: ReactNode;
}

/** A page together with the state it will show. */
export interface ScreenToLoad {
  load(): Promise<void>;
  screen(): Screen;
}

export interface LazyPage<State> {
  load(): Promise<void>;
  toScreen(state: State): ScreenToLoad;
}

export function lazyPage<State>(importPage: () => Promise<PageModule<State>>): LazyPage<State> {
  let loaded: PageModule<State> | undefined;
  const load = async () => {
    loaded ??= await importPage();
  };
  return {
    load,
    toScreen: (state) => ({
      load,
      screen() {
        if (!loaded) throw new Error('Page not loaded');
        const { heading, Page } = loaded;
        return { heading: heading(state), content: <Page state={state} /> };
      },
    }),
  };
}
