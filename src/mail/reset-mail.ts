/**
 * Writes the mails with a password reset link, requested by the person or sent by an operator. The host of the link comes from
 * the configuration, never from a request (S-20).
 */
import { FIELDS } from '../contract/form-fields.js';
import { PATHS } from '../contract/paths.js';
import { buildLink, toMail, toOneLine, type MailConfig, type MailText, type MailNotice } from './notice-mail.js';
import type { NoticeWords } from './notice-markup.js';
import { createMailPhrase } from './notice-phrases.js';

/** The token is sealed with a secret that is no longer configured. */
export class TokenUnreadable extends Error {
  constructor() {
    super('The token of a link cannot be opened: it was sealed with a secret that is no longer configured.');
    this.name = 'TokenUnreadable';
  }
}

const PHRASES = {
  'password-reset': {
    subject: 'mail.reset',
    event: 'mail.reset_text',
    link: 'mail.reset_link',
    advice: ['mail.reset_time', 'mail.reset_after', 'mail.reset_if_not'],
    footer: 'mail.reset_footer',
  },
  'reset-link': {
    subject: 'mail.reset',
    event: 'mail.reset_sent_text',
    link: 'mail.reset_link',
    advice: ['mail.reset_sent_time', 'mail.reset_after', 'mail.reset_sent_if_not'],
    footer: 'mail.reset_sent_footer',
  },
  invitation: {
    subject: 'mail.invitation',
    event: 'mail.invitation_text',
    link: 'mail.invitation_link',
    advice: ['mail.invitation_time', 'mail.invitation_after', 'mail.invitation_if_not'],
    footer: 'mail.reset_sent_footer',
  },
} as const;

export type ResetMailKind = keyof typeof PHRASES;

/** @throws TokenUnreadable, because a mail without its link is useless */
export function writeResetMail(kind: ResetMailKind, notice: Omit<MailNotice, 'kind'>, { app, publicUrl }: MailConfig): MailText {
  const token = notice.values['token'];
  if (typeof token !== 'string') throw new TokenUnreadable();
  const phrase = createMailPhrase(notice.language);
  const { subject, event, link, advice, footer } = PHRASES[kind];
  const names = { app: app.name, address: app.loginAddress };
  const url = buildLink(new URL(PATHS.passwordResetForm, publicUrl), FIELDS.resetToken, token);
  const words: NoticeWords = {
    language: notice.language,
    subject: phrase(subject, names),
    appName: app.name,
    preheader: phrase(advice[0]),
    event: phrase(event, names),
    link: { text: phrase(link), url },
    facts: notice.username === undefined ? [] : [[phrase('mail.account'), toOneLine(notice.username)]],
    advice: advice.map((key) => phrase(key, names)),
    footer: phrase(footer, names),
  };
  return toMail(words, app);
}
