/** Writes the mail that answers a request for a new password if the password belongs to a user source. The mail contains no secret. */
import { findScimSettings } from '../config/stored-sources.js';
import type { Config } from '../config/config.js';
import { toMail, toOneLine, type MailConfig, type MailText, type MailNotice } from './notice-mail.js';
import type { NoticeWords } from './notice-markup.js';
import { createMailPhrase } from './notice-phrases.js';

export function writePasswordElsewhereMail(
  { language, username, values }: Omit<MailNotice, 'kind'>,
  { app, sources, scim }: MailConfig & Pick<Config, 'sources' | 'scim'>,
): MailText {
  const phrase = createMailPhrase(language);
  const names = { app: app.name, address: app.loginAddress };
  const sourceId = String(values['source'] ?? '');
  const url = (sources.find(({ id }) => id === sourceId) ?? findScimSettings(sourceId, { scim }))?.passwordUrl;
  const words: NoticeWords = {
    language,
    subject: phrase('mail.password_elsewhere', names),
    appName: app.name,
    preheader: phrase('mail.password_elsewhere_how'),
    event: phrase('mail.password_elsewhere_text', names),
    ...(url === undefined ? {} : { link: { text: phrase('mail.password_elsewhere_link'), url } }),
    facts: username === undefined ? [] : [[phrase('mail.account'), toOneLine(username)]],
    advice: [phrase('mail.password_elsewhere_how'), phrase('mail.password_elsewhere_if_not')],
    footer: phrase('mail.reset_footer', names),
  };
  return toMail(words, app);
}
