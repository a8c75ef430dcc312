/**
 * Lists the phrases that each page needs, by section (the part of a key before the first dot), so that a browser does not load the
 * phrases of other pages and of mails. Each page has the section with its own name, if the locales contain one.
 */
import type { PageName } from '../../src/contract/page-state.js';
import type { MessageKey } from './phrase.js';

type SectionOf<Key> = Key extends `${infer Section}.${string}` ? Section : never;
type Section = SectionOf<MessageKey>;

const SHARED_SECTIONS: readonly Section[] = ['app', 'footer', 'language'];

/** The sections of each page in addition to the section with the name of the page. */
export const PAGE_SECTIONS: Readonly<Partial<Record<PageName, readonly Section[]>>> = {
  login: ['challenge', 'facts', 'password', 'policy', 'wait'],
  login_hint: ['account', 'challenge'],
  consent: ['account', 'challenge', 'claim', 'policy', 'scope'],
  device: ['challenge', 'wait'],
  device_end: ['challenge'],
  logout: ['account'],
  registration: ['challenge', 'claim', 'factor', 'fault', 'invitation', 'new_password', 'password', 'sign_up', 'stale', 'wait'],
  oauth_error: ['facts', 'factor'],
  server_error: ['challenge', 'error', 'facts', 'factor', 'wait'],
  mfa_verification: ['challenge', 'factor', 'facts', 'fault', 'later', 'mfa', 'settings', 'wait'],
  task: [
    ...(['account', 'claim', 'factor', 'fault', 'later', 'manage_email', 'mfa', 'new_password'] as const),
    ...(['password', 'password_reset', 'sign_up', 'stale', 'wait'] as const),
  ],
  passkey_offer: ['account', 'passkeys'],
  manage: ['factor', 'later', 'settings', 'support_check'],
  manage_apps: ['manage', 'scope', 'settings'],
  manage_data: ['fault', 'manage', 'settings', 'wait'],
  manage_devices: ['manage', 'settings', 'trusted'],
  manage_activity: ['manage_devices', 'factor', 'manage', 'settings'],
  manage_deletion: ['fault', 'manage', 'settings', 'wait'],
  manage_mfa: ['factor', 'fault', 'manage', 'settings', 'trusted', 'wait'],
  manage_factor: ['factor', 'fault', 'settings', 'wait'],
  manage_recovery_codes: ['codes', 'factor', 'fault', 'settings', 'wait'],
  manage_password: ['account', 'fault', 'manage', 'new_password', 'password', 'settings', 'wait'],
  manage_email: ['factor', 'fault', 'manage', 'settings', 'wait'],
  manage_username: ['fault', 'manage', 'settings', 'wait'],
  manage_confirm: ['account', 'confirm', 'factor', 'fault', 'password', 'settings', 'wait'],
  manage_switch: ['account', 'settings'],
  manage_error: ['facts', 'factor', 'fault', 'settings'],
  password_request_form: ['password_request', 'stale', 'wait'],
  password_request_status: ['password_request'],
  password_reset_form: ['account', 'fault', 'new_password', 'password', 'password_reset', 'stale'],
  password_reset_status: ['password_reset'],
  mfa_reset_form: ['account', 'mfa_reset', 'password', 'stale', 'wait'],
  mfa_reset_status: ['mfa_reset'],
  mailed_code: ['factor', 'fault', 'login', 'password_request', 'stale', 'wait'],
  support: ['factor', 'fault', 'password_request', 'stale', 'support_check', 'wait'],
};

export function findPhrasesForPage(phrases: Readonly<Record<string, string>>, page: PageName): Record<string, string> {
  const sections: readonly string[] = [...SHARED_SECTIONS, page, ...(PAGE_SECTIONS[page] ?? [])];
  return Object.fromEntries(Object.entries(phrases).filter(([key]) => sections.includes(key.slice(0, key.indexOf('.')))));
}
