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
  accounts: ['accounts'],
  login_hint: ['account', 'challenge', 'login_hint'],
  consent: ['account', 'challenge', 'consent', 'scope'],
  logout: ['account', 'logout'],
  registration: ['challenge', 'registration'],
  oauth_error: ['facts', 'oauth_error'],
  server_error: ['challenge', 'error', 'facts', 'wait'],
  mfa_verification: ['area', 'challenge', 'factor', 'fault', 'mfa', 'wait'],
  manage: ['area', 'factor', 'manage'],
  manage_mfa: ['area', 'factor', 'fault', 'manage_mfa', 'wait'],
  manage_totp: ['area', 'factor', 'fault', 'wait'],
  manage_fido2: ['area', 'factor', 'fault', 'wait'],
  manage_recovery_codes: ['area', 'codes', 'factor', 'fault', 'wait'],
  manage_password: ['area', 'fault', 'manage_password', 'new_password', 'password', 'wait'],
  manage_username: ['area', 'fault', 'manage_username', 'wait'],
  manage_confirm: ['account', 'area', 'confirm', 'factor', 'fault', 'password', 'wait'],
  manage_error: ['area', 'facts', 'fault', 'manage_error'],
  password_request_form: ['password_request', 'wait'],
  password_request_status: ['password_request'],
  password_reset_form: ['fault', 'new_password', 'password', 'password_reset'],
  password_reset_status: ['password_reset'],
  mfa_reset_form: ['mfa_reset', 'password', 'wait'],
  mfa_reset_status: ['mfa_reset'],
  not_me: ['not_me'],
};

export function phrasesForPage(phrases: Readonly<Record<string, string>>, page: PageName): Record<string, string> {
  const areas: readonly string[] = [...EVERYWHERE, ...PAGE_AREAS[page]];
  return Object.fromEntries(Object.entries(phrases).filter(([key]) => areas.includes(key.slice(0, key.indexOf('.')))));
}
