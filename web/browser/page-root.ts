/** Reads the page state from the root element (GEN-1), marks the end of hydration, and sets language and title of the document. */
import type { Locale, TextDirection } from '../../src/contract/locale.js';
import type { PageState } from '../../src/contract/page-state.js';

export interface PageRoot {
  root: HTMLElement;
  state: PageState;
  /** Addresses of the page's phrases, by language. */
  phrases: Readonly<Record<Locale, string>>;
  path: string;
}

export function readPageRoot(): PageRoot {
  const path = location.pathname;
  const root = document.getElementById('root');
  if (!root?.dataset['state']) throw new Error('The page has no state.');
  // After a rejected form, Back and Reload must not ask whether to send the form again.
  if (root.dataset['self']) history.replaceState(null, '', root.dataset['self']);
  // The attributes are not validated, because the server writes them from the same types.
  const phrases = JSON.parse(root.dataset['phrases'] ?? '{}') as PageRoot['phrases'];
  return { root, state: JSON.parse(root.dataset['state']) as PageState, phrases, path };
}

/** Marks the end of hydration for tests and performance tools, and for styles in browsers without the `scripting` media query. */
export function markReady(): void {
  document.documentElement.classList.add('scripted');
  performance.mark('foyer-ready');
}

/** @param dir if absent, the direction of the document does not change */
export function showLanguage({ locale, dir }: { locale: Locale; dir?: TextDirection | undefined }, title: string): void {
  document.documentElement.lang = locale;
  if (dir) document.documentElement.dir = dir;
  document.title = title;
}
