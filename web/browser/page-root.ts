/** Reads what the server left on the page root (GEN-1) and marks the moment from which the page answers. */
import type { PageState } from '../../src/contract/page-state.js';

export interface PageRoot {
  root: HTMLElement;
  state: PageState;
  path: string;
}

export function readPageRoot(): PageRoot {
  const path = location.pathname;
  const root = document.getElementById('root');
  if (!root?.dataset['state']) throw new Error('The page carries no state.');
  // A form that was not taken: Back and a reload are not to ask whether it may be sent again.
  if (root.dataset['self']) history.replaceState(null, '', root.dataset['self']);
  // The server typed it by the same union and escaped it; nobody else can write the attribute.
  return { root, state: JSON.parse(root.dataset['state']) as PageState, path };
}

/** Seen in performance tools and waited for by tests; it changes nothing on the page. */
export function markReady(): void {
  performance.mark('foyer-ready');
}

export function showLanguage(locale: string, title: string): void {
  document.documentElement.lang = locale;
  document.title = title;
}
