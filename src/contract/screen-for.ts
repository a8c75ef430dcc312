/**
 * Finds the page that a path shows: one pure function for server and browser (GEN-2). It reads the path and the names of the state
 * objects, never their content.
 */
import type { PageName, PageState } from './page-state.js';
import { PAGE_NAMES, PAGE_PATHS } from './paths.js';

type KnownKeys = { [Key in PageName]?: unknown };

/**
 * @param path without the query
 * @param state the state object, of which only the keys are read
 * @returns the page to show. A `server_error` replaces any page (GEN-3); a path outside the table shows an error page
 * (GEN-4).
 */
export function screenFor(path: string, state: KnownKeys | PageState): PageName {
  const keys: KnownKeys = state;
  if (keys.server_error) return 'server_error';
  const screens = PAGE_NAMES.filter((page) =>
    PAGE_PATHS[page].some((pattern) => (pattern instanceof RegExp ? pattern.test(path) : pattern === path)),
  );
  return screens.find((screen) => keys[screen]) ?? screens[0] ?? 'server_error';
}
