/**
 * A page in its own chunk. The server loads all pages before the first request. The browser loads the page that it shows before it
 * hydrates. The document preloads that page, so there is no loading state.
 */
import type { ComponentType, ReactNode } from 'react';
import type { Phrase } from '../i18n/phrase.js';

/** The exports of every page in `pages/`. The title of the document begins with the heading, or names an error before it. */
export interface PageModule<State> {
  heading(state: State): Phrase;
  Page: ComponentType<{ state: State }>;
}

export interface Screen {
  heading: Phrase;
  content: ReactNode;
}

/** A page together with the state that it will show. */
export interface LoadableScreen {
  load(): Promise<void>;
  /** Throws if the page is not loaded. */
  buildScreen(): Screen;
}

export interface LazyPage<State> {
  load(): Promise<void>;
  toScreen(state: State): LoadableScreen;
}

export function createLazyPage<State>(importPage: () => Promise<PageModule<State>>): LazyPage<State> {
  let pageModule: PageModule<State> | undefined;
  const load = async () => {
    pageModule ??= await importPage();
  };
  return {
    load,
    toScreen: (state) => ({
      load,
      buildScreen() {
        if (!pageModule) throw new Error('The page has not been loaded.');
        const { heading, Page } = pageModule;
        return { heading: heading(state), content: <Page state={state} /> };
      },
    }),
  };
}
