/**
 * Writes the requested mail with a password reset link. The host of the link comes from the configuration, never from a
 * request (S-20).
 */
import { FIELDS } from '../contract/form-fields.js';
import { PATHS } from '../contract/paths.js';
import { linkWith, oneLine, plainText } from './notice-mail.js';
import type { MailConfig, MailText, NoticeAbout } from './notice-mail.js';
import { noticeMarkup } from './notice-markup.js';
import type { NoticeWords } from './notice-markup.js';
import { mailPhrases } from './notice-phrases.js';

/** The values cannot be opened: sealed with a secret that is no longer configured. */
class TokenUnreadable extends Error {
  constructor() {
    super('The token of a link cannot be read.');
    this.name = 'TokenUnreadable';
  }
}

/** @throws TokenUnreadable: without the link the mail is useless */
export function resetMail(asked: Omit<NoticeAbout, 'kind'>, { app, publicUrl }: MailConfig): MailText {
  const token = asked.values['token'];
  if (typeof token !== 'string') throw new TokenUnreadable();
  const phrase = mailPhrases(asked.locale);
  const names = { app: app.name, address: app.loginAddress };
  const url = linkWith(new URL(PATHS.passwordResetForm, publicUrl), FIELDS.resetToken, token);
  const words: NoticeWords = {
    locale: asked.locale,
    subject: phrase('mail.reset'),
    appName: app.name,
    greeting: phrase('mail.greeting'),
    event: phrase('mail.reset_text', names),
    link: { text: phrase('mail.reset_link'), url },
    facts: asked.username === undefined ? [] : [[phrase('mail.account'), oneLine(asked.username)]],
    advice: [phrase('mail.reset_time'), phrase('mail.reset_after'), phrase('mail.reset_if_not')],
    footer: phrase('mail.reset_footer', names),
  };
  return { subject: words.subject, text: plainText(words), html: noticeMarkup(words) };
}
