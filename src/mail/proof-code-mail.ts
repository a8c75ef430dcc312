/** Writes the mail with the code by which somebody in the account area confirms that it is them. The code is in the body only. */
import type { Config } from '../config/config.js';
import { oneLine, plain } from './notice-mail.js';
import type { MailText, NoticeAbout } from './notice-mail.js';
import { noticeMarkup } from './notice-markup.js';
import type { NoticeWords } from './notice-markup.js';
import { mailPhrases } from './notice-phrases.js';

/** The row's values cannot be opened: it was sealed with a secret that is no longer listed. */
class CodeUnreadable extends Error {
  constructor() {
    super('The code of a mail cannot be read.');
    this.name = 'CodeUnreadable';
  }
}

/** @throws CodeUnreadable: a mail without its code helps nobody */
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
