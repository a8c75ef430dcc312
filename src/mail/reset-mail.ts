/**
 * Writes the mail with the link to a new password, to a reader who has just asked for it. The link's host comes from the
 * configuration, never from a request (S-20).
 */
import { FIELDS } from '../contract/form-fields.js';
import { PATHS } from '../contract/paths.js';
import { linkWith, oneLine, plain } from './notice-mail.js';
import type { MailConfig, MailText, NoticeAbout } from './notice-mail.js';
import { noticeMarkup } from './notice-markup.js';
import type { NoticeWords } from './notice-markup.js';
import { mailPhrases } from './notice-phrases.js';

/** The row's values cannot be opened: it was sealed with a secret that is no longer listed. */
class TokenUnreadable extends Error {
  constructor() {
    super('The token of a link cannot be read.');
    this.name = 'TokenUnreadable';
  }
}

/** @throws TokenUnreadable: a mail without its link helps nobody */
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
  return { subject: words.subject, text: plain(words), html: noticeMarkup(words) };
}
