/** The phrases of mails: which one says what. They stand in the locales and never reach a browser. */
import { PHRASES } from '../../locales/phrases.js';
import type { Phrases } from '../../locales/phrases.js';
import type { Locale } from '../contract/locale.js';

export type NoticeMailKind =
  | 'password-changed'
  | 'username-changed'
  | 'totp-added'
  | 'security-key-added'
  | 'totp-removed'
  | 'security-key-removed'
  | 'recovery-codes-made'
  | 'recovery-code-used'
  | 'factor-stopped'
  | 'factors-reset'
  | 'provider-connected'
  | 'provider-disconnected';

type MailKey = Extract<keyof Phrases, `mail.${string}`>;

interface NoticeKeys {
  subject: MailKey;
  /** What happened, in a sentence. */
  event: MailKey;
}

const KEYS_BY_KIND: Record<NoticeMailKind, NoticeKeys> = {
  'password-changed': { subject: 'mail.password_changed', event: 'mail.password_changed_text' },
  'username-changed': { subject: 'mail.username_changed', event: 'mail.username_changed_text' },
  'totp-added': { subject: 'mail.totp_added', event: 'mail.totp_added_text' },
  'security-key-added': { subject: 'mail.security_key_added', event: 'mail.security_key_added_text' },
  'totp-removed': { subject: 'mail.totp_removed', event: 'mail.totp_removed_text' },
  'security-key-removed': { subject: 'mail.security_key_removed', event: 'mail.security_key_removed_text' },
  'recovery-codes-made': { subject: 'mail.recovery_codes_made', event: 'mail.recovery_codes_made_text' },
  'recovery-code-used': { subject: 'mail.recovery_code_used', event: 'mail.recovery_code_used_text' },
  'factor-stopped': { subject: 'mail.factor_stopped', event: 'mail.factor_stopped_text' },
  'factors-reset': { subject: 'mail.factors_reset', event: 'mail.factors_reset_text' },
  'provider-connected': { subject: 'mail.provider_connected', event: 'mail.provider_connected_text' },
  'provider-disconnected': { subject: 'mail.provider_disconnected', event: 'mail.provider_disconnected_text' },
};

/** Factors of the counters of wrong codes. */
const FACTORS: Readonly<Record<string, MailKey>> = {
  totp: 'mail.factor_totp',
  'totp-setup': 'mail.factor_totp',
  fido2: 'mail.factor_fido2',
  recovery: 'mail.factor_recovery',
};

export function factorKey(factor: unknown): MailKey | undefined {
  return typeof factor === 'string' && Object.hasOwn(FACTORS, factor) ? FACTORS[factor] : undefined;
}

/** A kind that this version does not know; a newer version may run beside it. */
export class NoticeKindUnknown extends Error {
  constructor() {
    super('There are no words for a mail of this kind.');
    this.name = 'TopicUnknown';
  }
}

/** @throws NoticeKindUnknown: rows may be older or newer than this version */
export function noticeKeys(kind: string): NoticeKeys {
  const keys = Object.hasOwn(KEYS_BY_KIND, kind) ? KEYS_BY_KIND[kind as NoticeMailKind] : undefined;
  if (!keys) throw new NoticeKindUnknown();
  return keys;
}

export type MailPhrase = (key: MailKey, values?: Readonly<Record<string, string>>) => string;

/** Values are inserted literally; placeholders in them are not replaced. */
export function mailPhrases(locale: Locale): MailPhrase {
  return (key, values = {}) => PHRASES[locale][key].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
