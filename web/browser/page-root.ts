/** Reads the page state from the root element (GEN-1) and marks the end of hydration. */
import type { Locale, TextDirection } from '../../src/contract/locale.js';
import type { PageState } from '../../src/contract/page-state.js';

export interface PageRoot {
  root: HTMLElement;
  state: PageState;
  /** Addresses of its phrases, by language. */
  phrases: Readonly<Record<Locale, string>>;
  path: string;
}

export function readPageRoot(): PageRoot {
  const path = location.pathname;
  const root = document.getElementById('root');
  if (!root?.dataset['state']) throw new Error('The page carries no state.');
  // After a rejected form: Back and a reload must not ask whether to send it again.
  if (root.dataset['self']) history.replaceState(null, '', root.dataset['self']);
  // The server writes it from the same type, escaped; nobody else can write the attribute.
  const phrases = JSON.parse(root.dataset['phrases'] ?? '{}') as PageRoot['phrases'];
  return { root, state: JSON.parse(root.dataset['state']) as PageState, phrases, path };
}

/** For performance tools and tests, and for the styles of browsers that do not say whether scripts run. */
export function markReady(): void {
  document.documentElement.classList.add('scripted');
  performance.mark('foyer-ready');
}

/** @param dir absent: that of the document */
export function showLanguage({ locale, dir }: { locale: Locale; dir?: TextDirection | undefined }, title: string): void {
  document.documentElement.lang = locale;
  if (dir) document.documentElement.dir = dir;
  document.title = title;
}
