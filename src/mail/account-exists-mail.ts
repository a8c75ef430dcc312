/**
 * Writes the mail to the owner of an account whose address was entered to create another account. The page does not reveal that the
 * account exists; only this mail does. The mail contains no secret.
 */
import { PATHS } from '../contract/paths.js';
import { toMail, toOneLine, type MailConfig, type MailText, type MailNotice } from './notice-mail.js';
import type { NoticeWords } from './notice-markup.js';
import { createMailPhrase } from './notice-phrases.js';

export function writeAccountExistsMail(
  { language, username, values }: Omit<MailNotice, 'kind'>,
  { app, publicUrl }: MailConfig,
): MailText {
  const phrase = createMailPhrase(language);
  const names = { app: app.name, address: app.loginAddress };
  const words: NoticeWords = {
    language,
    subject: phrase('mail.account_exists', names),
    appName: app.name,
    preheader: phrase('mail.account_exists_how', names),
    event: phrase('mail.account_exists_text', names),
    link: { text: phrase('mail.account_exists_link'), url: new URL(PATHS.passwordRequestForm, publicUrl).href },
    // An address that is not verified may belong to a stranger, who must not learn the username.
    facts: username === undefined || values['unverified'] === 1 ? [] : [[phrase('mail.account'), toOneLine(username)]],
    advice: [phrase('mail.account_exists_how', names), phrase('mail.account_exists_if_not')],
    footer: phrase('mail.sign_up_footer', names),
  };
  return toMail(words, app);
}
