/**
 * Which page is shown: one switch over `screenFor`, closed by the compiler, used by server and browser alike (GEN-2).
 * To add a page: a member of the union, a line in `PAGES`, a case here, a file in `pages/`, its fixtures.
 */
import type { PageState } from '../src/contract/page-state.js';
import { screenFor } from '../src/contract/screen-for.js';
import { lazyPage } from './pages/lazy-page.js';
import type { Screen, ScreenToLoad } from './pages/lazy-page.js';
import type { Phrases } from './phrases/phrases.js';
import { PhrasesContext } from './phrases/say.js';
import { Shell } from './ui/shell.js';

const PAGES = {
  login: lazyPage(() => import('./pages/login.js')),
  login_hint: lazyPage(() => import('./pages/login-hint.js')),
  consent: lazyPage(() => import('./pages/consent.js')),
  logout: lazyPage(() => import('./pages/logout.js')),
  oauth_error: lazyPage(() => import('./pages/oauth-error.js')),
  server_error: lazyPage(() => import('./pages/server-error.js')),
};

export async function loadAllPages(): Promise<void> {
  await Promise.all(Object.values(PAGES).map((page) => page.load()));
}

/** The state that may be shown at this path; what does not belong there is not found (GEN-4). */
export function stateFor(path: string, state: PageState): PageState {
  if (screenFor(path, state) === state.page) return state;
  const { locale, locale_source, app } = state;
  const server_error = { status: 404, code: 'page_not_found', request_id: '' } as const;
  return { page: 'server_error', locale, locale_source, app, server_error };
}

export function screenOf(state: PageState): ScreenToLoad {
  switch (state.page) {
    case 'login':
      return PAGES.login.with(state);
    case 'login_hint':
      return PAGES.login_hint.with(state);
    case 'consent':
      return PAGES.consent.with(state);
    case 'logout':
      return PAGES.logout.with(state);
    case 'oauth_error':
      return PAGES.oauth_error.with(state);
    case 'server_error':
      return PAGES.server_error.with(state);
    default:
      return unknownPage(state);
  }
}

function unknownPage(state: never): never {
  throw new Error(`There is no page for ${JSON.stringify(state)}.`);
}

export function titleOf({ heading }: Screen, phrases: Phrases, appName: string): string {
  // Soft hyphens are for narrow pages; a window's title has one line.
  return `${phrases.text(heading)} · ${appName}`.replaceAll('\u00ad', '');
}

export function App({ state, screen, phrases }: { state: PageState; screen: Screen; phrases: Phrases }) {
  return (
    <PhrasesContext value={phrases}>
      <Shell app={state.app}>{screen.content}</Shell>
    </PhrasesContext>
  );
}
