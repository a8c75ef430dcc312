/** Titles of the built-in scopes. An installation may define its own titles. */
import type { MessageKey } from '../i18n/phrase.js';

export const SCOPE_TITLES: Readonly<Partial<Record<string, MessageKey>>> = {
  openid: 'scope.openid',
  profile: 'scope.profile',
  email: 'scope.email',
  address: 'scope.address',
  phone: 'scope.phone',
  id: 'scope.account',
  offline: 'scope.offline',
  offline_access: 'scope.offline',
  folder: 'scope.folder',
};
