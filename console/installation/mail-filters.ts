/** The filters of the mails that did not arrive, from the address. An address may be typed by hand, so invalid values are ignored. */
import type { Mail } from '../api/calls.js';
import type { PhraseKey } from '../i18n/i18n.js';

/** The server stops counting above this number. */
export const MOST_COUNTED = 1000;

export interface MailFilters {
  cause?: Mail['cause'] | undefined;
  state?: Mail['state'] | undefined;
  cursor?: string | undefined;
}

/** The words of each cause, in the order of the filter. */
export const MAIL_CAUSES: Readonly<Record<Mail['cause'], PhraseKey>> = {
  refused: 'mail_cause.refused',
  postponed: 'mail_cause.postponed',
  'server-refused': 'mail_cause.server-refused',
  'server-unreachable': 'mail_cause.server-unreachable',
  'server-not-found': 'mail_cause.server-not-found',
  'server-tls': 'mail_cause.server-tls',
  'server-login': 'mail_cause.server-login',
  'server-other': 'mail_cause.server-other',
  unexpected: 'mail_cause.unexpected',
  unknown: 'mail_cause.unknown',
};

export const isMailCause = (value: unknown): value is Mail['cause'] =>
  typeof value === 'string' && Object.hasOwn(MAIL_CAUSES, value);

export const isMailState = (value: unknown): value is Mail['state'] => value === 'waiting' || value === 'abandoned';

export function readMailFilters({ cause, state, cursor }: Readonly<Record<string, unknown>>): MailFilters {
  return {
    ...(isMailCause(cause) ? { cause } : {}),
    ...(isMailState(state) ? { state } : {}),
    ...(typeof cursor === 'string' && /^\d{1,15}$/.test(cursor) ? { cursor } : {}),
  };
}
