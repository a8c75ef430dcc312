/** Writes a mail with a code that proves a person or an e-mail address. The code is in the body, never in a header. */
import { toMail, toOneLine, type MailApp, type MailText, type MailNotice } from './notice-mail.js';
import type { NoticeWords } from './notice-markup.js';
import { getCodeKeys, createMailPhrase } from './notice-phrases.js';

/** The code is sealed with a secret that is no longer configured. */
class CodeUnreadable extends Error {
  constructor() {
    super('The code of a mail cannot be opened: it was sealed with a secret that is no longer configured.');
    this.name = 'CodeUnreadable';
  }
}

/** @throws NoticeKindUnknown; CodeUnreadable, because a mail without its code is useless */
export function writeProofCodeMail(notice: MailNotice, app: MailApp): MailText {
  const code = notice.values['code'];
  if (typeof code !== 'string') throw new CodeUnreadable();
  const phrase = createMailPhrase(notice.language);
  const { subject, event, ifNot } = getCodeKeys(notice.kind, notice.values['act']);
  const names = { app: app.name, address: app.loginAddress };
  // The new address is not confirmed yet: it may belong to a stranger, who must not learn the username.
  const username = notice.kind === 'email-change-code' ? undefined : notice.username;
  const words: NoticeWords = {
    language: notice.language,
    subject: phrase(subject),
    appName: app.name,
    preheader: `${code} · ${phrase('mail.proof_code_time')}`,
    event: phrase(event, names),
    facts: [
      [phrase('mail.proof_code_fact'), code, 'large'],
      ...(username === undefined ? [] : [[phrase('mail.account'), toOneLine(username)] as const]),
    ],
    advice: [phrase('mail.proof_code_time'), phrase(ifNot, names)],
    // A person who signs up has no account yet.
    footer: phrase(notice.kind === 'sign-up-code' ? 'mail.sign_up_footer' : 'mail.footer', names),
  };
  return toMail(words, app);
}
