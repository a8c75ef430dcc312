/** Writes the mail with the code for a fresh proof in the account area. The code appears only in the body. */
import type { Config } from '../config/config.js';
import { oneLine, plain } from './notice-mail.js';
import type { MailText, NoticeAbout } from './notice-mail.js';
import { noticeMarkup } from './notice-markup.js';
import type { NoticeWords } from './notice-markup.js';
import { mailPhrases } from './notice-phrases.js';

/** The values cannot be opened: sealed with a secret that is no longer configured. */
class CodeUnreadable extends Error {
  constructor() {
    super('The code of a mail cannot be read.');
    this.name = 'CodeUnreadable';
  }
}

/** @throws CodeUnreadable: without the code the mail is useless */
export function proofCodeMail(asked: Omit<NoticeAbout, 'kind'>, app: Pick<Config['app'], 'name' | 'loginAddress'>): MailText {
  const code = asked.values['code'];
  if (typeof code !== 'string') throw new CodeUnreadable();
  const phrase = mailPhrases(asked.locale);
  const names = { app: app.name, address: app.loginAddress };
  const words: NoticeWords = {
    locale: asked.locale,
    subject: phrase('mail.proof_code'),
    appName: app.name,
    greeting: phrase('mail.greeting'),
    event: phrase('mail.proof_code_text', names),
    facts: [
      [phrase('mail.proof_code_fact'), code, 'large'],
      ...(asked.username === undefined ? [] : [[phrase('mail.account'), oneLine(asked.username)] as const]),
    ],
    advice: [phrase('mail.proof_code_time'), phrase('mail.proof_code_if_not', names)],
    footer: phrase('mail.footer', names),
  };
  return { subject: words.subject, text: plain(words), html: noticeMarkup(words) };
}
