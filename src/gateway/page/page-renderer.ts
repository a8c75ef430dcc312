/** Port to the React pages. `app.module.ts` binds the built server bundle; the gateway never imports `web/`. */
import type { PageState } from '../../contract/page-state.js';

export interface RenderedPage {
  /** Text of `<title>`, not escaped. */
  title: string;
  /** Markup inside the page root. */
  markup: string;
  /** Class of the page root. */
  rootClass: string;
  /** Keys of the browser build's manifest: the chunks of this page and its language. */
  modules: readonly string[];
}

export abstract class PageRenderer {
  abstract render(state: PageState, path: string): RenderedPage;
}
