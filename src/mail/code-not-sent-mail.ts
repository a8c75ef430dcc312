/** Writes the mail that answers a request for a code that is not sent: it explains how to sign in instead. The mail contains no secret. */
import { toMail, toOneLine, type MailApp, type MailText, type MailNotice } from './notice-mail.js';
import type { NoticeWords } from './notice-markup.js';
import { createMailPhrase } from './notice-phrases.js';

export function writeCodeNotSentMail({ language, username, values }: Omit<MailNotice, 'kind'>, app: MailApp): MailText {
  const phrase = createMailPhrase(language);
  const names = { app: app.name, address: app.loginAddress };
  const instruction = phrase(values['why'] === 'stronger' ? 'mail.code_not_sent_stronger' : 'mail.code_not_sent_usual', names);
  const words: NoticeWords = {
    language,
    subject: phrase('mail.code_not_sent', names),
    appName: app.name,
    preheader: instruction,
    event: phrase('mail.code_not_sent_text', names),
    facts: username === undefined ? [] : [[phrase('mail.account'), toOneLine(username)]],
    advice: [instruction, phrase('mail.password_elsewhere_if_not')],
    footer: phrase('mail.reset_footer', names),
  };
  return toMail(words, app);
}
