/**
 * A page in a chunk of its own. The server loads all of them before the first request; the browser loads the one it shows
 * (preloaded by the document) before it hydrates, so there is no loading state.
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
  with(state: State): ScreenToLoad;
}

export function lazyPage<State>(importPage: () => Promise<PageModule<State>>): LazyPage<State> {
  let loaded: PageModule<State> | undefined;
  const load = async () => {
    loaded ??= await importPage();
  };
  return {
    load,
    with: (state) => ({
      load,
      screen() {
        if (!loaded) throw new Error('A page was asked for before it was loaded.');
        const { heading, Page } = loaded;
        return { heading: heading(state), content: <Page state={state} /> };
      },
    }),
  };
}
