/** The phrases of mails: which one says what. They stand in the locales and never reach a browser. */
import { PHRASES } from '../../locales/phrases.js';
import type { Phrases } from '../../locales/phrases.js';
import type { Locale } from '../contract/locale.js';

export type NoticeTopic =
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

interface TopicKeys {
  subject: MailKey;
  /** What happened, in a sentence. */
  event: MailKey;
}

const TOPICS: Record<NoticeTopic, TopicKeys> = {
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

/** What the counters of wrong codes are about. */
const FACTORS: Readonly<Record<string, MailKey>> = {
  totp: 'mail.factor_totp',
  'totp-setup': 'mail.factor_totp',
  fido2: 'mail.factor_fido2',
  recovery: 'mail.factor_recovery',
};

export function factorKey(factor: unknown): MailKey | undefined {
  return typeof factor === 'string' && Object.hasOwn(FACTORS, factor) ? FACTORS[factor] : undefined;
}

/** A topic that this version does not know; a newer one beside it may. */
export class TopicUnknown extends Error {
  constructor() {
    super('There are no words for a mail of this kind.');
    this.name = 'TopicUnknown';
  }
}

/** @throws TopicUnknown: rows outlive the version that wrote them */
export function topicKeys(topic: string): TopicKeys {
  const keys = Object.hasOwn(TOPICS, topic) ? TOPICS[topic as NoticeTopic] : undefined;
  if (!keys) throw new TopicUnknown();
  return keys;
}

export type MailPhrase = (key: MailKey, values?: Readonly<Record<string, string>>) => string;

/** A value is put in as it is: no phrase is looked for in it. */
export function mailPhrases(locale: Locale): MailPhrase {
  return (key, values = {}) => PHRASES[locale][key].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
