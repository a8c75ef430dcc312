import { describe, expect, it } from '@jest/globals';
import type { FactName } from './event-words.js';
import { findValuePhrase } from './value-words.js';

/** Values that the server writes, by kind and detail, from docs/events.md and the types of these values in `src`. */
const VALUES: readonly (readonly [kind: string, name: FactName, values: string])[] = [
  ['deletion.cancelled', 'way', 'area mail not-me operator source'],
  ['proof.ok', 'method', 'password mail totp fido2 passkey email-code'],
  ['system.started', 'mode', 'development production'],
  ['factor.refused', 'factor', 'totp fido2 passkey email-code recovery totp-setup email-code-setup'],
  ['factor.refused', 'fault', 'code replayed challenge response counter account unknown'],
  ['consent.refused', 'error', 'access_denied invalid_scope consent_required server_error'],
  ['mail.abandoned', 'reason', 'expired refused tries'],
  ['console.refused', 'reason', 'right strength'],
  ['source.refused', 'reason', 'provider disabled gone frozen'],
  ['account.disabled', 'reason', 'disabled gone'],
  ['password.change-required', 'cause', 'operator breached source'],
  ['client.failed', 'cause', 'client_not_found client_exists changed_meanwhile no_secret own_client no_answer refused unknown'],
  ['sign-in.refused', 'reason', 'unmet own-proof new-proof no-set-up ended missing expired used foreign no-cookies declined'],
  ['sign-in-code.asked', 'reason', 'unknown-name disabled no-address stronger factor provider limited'],
  ['sign-in-code.refused', 'reason', 'wrong-code unknown-name disabled replaced stopped'],
  ['password.refused', 'reason', 'wrong-password unknown-name disabled no-password source replaced stopped'],
  ['request.limited', 'request', 'password-reset factor-reset not-me keep-account stop-change support-page provider-sign-in'],
  ['request.limited', 'request', 'device-page device-code unchecked-operation recovery-codes username proof-mail proof-code'],
  ['request.limited', 'request', 'connect data deletion support-mail support-check email-code-mail mailbox sign-up invitation'],
  ['account.changed', 'fields', 'username display_name email email_verified picture language group_name groups'],
  ['account.changed', 'fields', 'attributes second_factor'],
];

describe('the words of values', () => {
  it.each(VALUES)('exist for values that the server writes: %s, %s', (kind, name, values) => {
    expect(values.split(' ').filter((value) => findValuePhrase(kind, name, value) === undefined)).toEqual([]);
  });

  it('exist for reasons of several words', () => {
    const reasons = ['not connected', 'no account', 'not admitted', 'earlier session'];
    expect(reasons.filter((reason) => findValuePhrase('provider.refused', 'reason', reason) === undefined)).toEqual([]);
  });

  it('depend on the kind if a value has two meanings', () => {
    const find = (kind: string, value: string) => findValuePhrase(kind, 'reason', value);
    expect(find('sign-in.refused', 'expired')).toBe('reason.expired');
    expect(find('mail.abandoned', 'expired')).toBe('reason.mail_expired');
    expect(find('password.refused', 'disabled')).toBe('reason.disabled');
    expect(find('source.refused', 'disabled')).toBe('reason.disabled_there');
    expect(findValuePhrase('mail.retried', 'cause', 'refused')).toBe('mail_cause.refused');
    expect(findValuePhrase('client.failed', 'cause', 'refused')).toBe('cause.upstream_refused');
  });

  it('are shared with the pages of apps, jobs and mails', () => {
    expect(findValuePhrase('client.changed', 'fields', 'redirect_uris')).toBe('apps.field_redirect_uris');
    expect(findValuePhrase('job.started', 'action', 'end_sessions')).toBe('action.end_sessions');
    expect(findValuePhrase('mail.retried', 'cause', 'server-tls')).toBe('mail_cause.server-tls');
    expect(findValuePhrase('mail.abandoned', 'mail', 'totp-added')).toBe('event.factor.added');
  });

  it('are missing for a name and a number, and for a text that every object has as a member', () => {
    expect(['4711', 'constructor'].map((value) => findValuePhrase('mail.abandoned', 'mail', value))).toEqual([
      undefined,
      undefined,
    ]);
    expect(findValuePhrase('constructor', 'reason', 'constructor')).toBeUndefined();
    expect(findValuePhrase('sign-in.ok', 'client', 'portal')).toBeUndefined();
  });
});
