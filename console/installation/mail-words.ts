/** The words of the kinds of mails. Most mails report an event of the audit log and share its words. */
import type { PhraseKey } from '../i18n/i18n.js';

const KINDS: Readonly<Record<string, PhraseKey>> = {
  'password-reset': 'mails.kind_link',
  'reset-link': 'mails.kind_link',
  invitation: 'mails.kind_invitation',
  'join-invitation': 'mails.kind_join',
  'password-elsewhere': 'mails.kind_elsewhere',
  'code-not-sent': 'mails.kind_code_not_sent',
  'account-exists': 'mails.kind_exists',
  'change-announced': 'mails.kind_announced',
  'password-changed': 'event.password.changed',
  'username-changed': 'event.username.changed',
  'email-changed': 'mails.kind_address',
  'own-email-changed': 'mails.kind_address',
  'recovery-codes-made': 'event.recovery-codes.made',
  'recovery-code-used': 'event.recovery-code.used',
  'factor-stopped': 'mails.kind_stopped',
  'factors-reset': 'event.factor.reset',
  'new-browser': 'mails.kind_browser',
  'data-downloaded': 'event.data.downloaded',
  'provider-connected': 'event.provider.connected',
  'provider-disconnected': 'event.provider.disconnected',
  'deletion-requested': 'event.deletion.requested',
  'deletion-cancelled': 'event.deletion.cancelled',
  'account-deleted': 'event.account.deleted',
  'account-secured': 'event.account.secured',
  'sign-up-waits': 'mails.kind_sign_up',
  'sign-up-approved': 'mails.kind_sign_up',
  'sign-up-refused': 'event.sign-up.refused',
  'sign-up-expired': 'event.sign-up.expired',
};

/** @returns undefined for a kind without words, such as a kind of a newer server */
export function findMailPhrase(kind: string): PhraseKey | undefined {
  if (Object.hasOwn(KINDS, kind)) return KINDS[kind];
  if (kind.endsWith('-code')) return 'mails.kind_code';
  // The name of a factor precedes the suffix.
  if (kind.endsWith('-added')) return 'event.factor.added';
  return kind.endsWith('-removed') ? 'event.factor.removed' : undefined;
}
