/**
 * Which phrases a page speaks: the areas (a key's part before the first dot) that its chunk of a locale holds. So nobody
 * loads the words of pages they do not see, and what only the server says (mails) never reaches a browser.
 */
import type { PageName } from '../../src/contract/page-state.js';
import type { MessageKey } from './phrase.js';

type AreaOf<Key> = Key extends `${infer Area}.${string}` ? Area : never;
type Area = AreaOf<MessageKey>;

const EVERYWHERE: readonly Area[] = ['app', 'footer'];

export const PAGE_AREAS: Record<PageName, readonly Area[]> = {
  login: ['challenge', 'login', 'password', 'wait'],
  login_hint: ['account', 'challenge', 'login_hint'],
  consent: ['account', 'challenge', 'consent', 'scope'],
  logout: ['account', 'logout'],
  oauth_error: ['facts', 'oauth_error'],
  server_error: ['challenge', 'error', 'facts', 'wait'],
};

export function phrasesForPage(phrases: Readonly<Record<string, string>>, page: PageName): Record<string, string> {
  const areas: readonly string[] = [...EVERYWHERE, ...PAGE_AREAS[page]];
  return Object.fromEntries(Object.entries(phrases).filter(([key]) => areas.includes(key.slice(0, key.indexOf('.')))));
}
