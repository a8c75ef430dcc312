/** Port to the React pages. `app.module.ts` binds the built server bundle; the gateway never imports `web/`. */
import type { Locale } from '../../contract/locale.js';
import type { PageName, PageState } from '../../contract/page-state.js';

export interface RenderedPage {
  /** Text of `<title>`, not escaped. */
  title: string;
  /** Markup inside the page root. */
  markup: string;
  /** Class of the page root. */
  rootClass: string;
  /** The page that was rendered. It differs from the page of the state if the state may not be shown at this path. */
  page: PageName;
  /** Keys of the browser build's manifest: the chunks of this page. */
  modules: readonly string[];
}

export abstract class PageRenderer {
  abstract render(state: PageState, path: string): RenderedPage;

  /** The phrases that a page needs in the browser. */
  abstract phrases(locale: Locale, page: PageName): Readonly<Record<string, string>>;
}

/** The function that the server bundle of the pages exports. */
export type CreateRenderer = (
  languages: readonly { locale: Locale; phrases: Readonly<Record<string, string>> }[],
) => PageRenderer;
