import { expect, it } from '@jest/globals';
import type { CodeMail, FactorNotice, MailKind } from '../../src/accounts/queue/mail-kinds.js';
import { findMailPhrase } from './mail-words.js';

/** The compiler requires every kind of mail here. */
const KINDS: Readonly<Record<Exclude<MailKind, FactorNotice | CodeMail>, true>> = {
  'password-changed': true,
  'username-changed': true,
  'email-changed': true,
  'own-email-changed': true,
  'recovery-codes-made': true,
  'recovery-code-used': true,
  'factor-stopped': true,
  'factors-reset': true,
  'new-browser': true,
  'data-downloaded': true,
  'provider-connected': true,
  'provider-disconnected': true,
  'deletion-requested': true,
  'deletion-cancelled': true,
  'account-deleted': true,
  'password-reset': true,
  'password-elsewhere': true,
  'code-not-sent': true,
  'account-secured': true,
  'change-announced': true,
  'account-exists': true,
  'sign-up-approved': true,
  'sign-up-waits': true,
  'sign-up-refused': true,
  'sign-up-expired': true,
  'join-invitation': true,
  'reset-link': true,
  invitation: true,
};

it('every kind of mail has words', () => {
  const kinds = [...Object.keys(KINDS), 'totp-added', 'totp-removed', 'proof-code', 'sign-in-code'];
  expect(kinds.filter((kind) => findMailPhrase(kind) === undefined)).toEqual([]);
});
