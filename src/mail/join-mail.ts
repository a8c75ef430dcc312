/** Writes the mail that invites a person who has no account yet. The host of the link comes from the configuration (S-20). */
import { FIELDS } from '../contract/form-fields.js';
import { INVITATION_PATH } from '../contract/registration-state.js';
import { buildLink, formatTime, toMail, toOneLine, type MailConfig, type MailText, type MailNotice } from './notice-mail.js';
import type { NoticeWords } from './notice-markup.js';
import { createMailPhrase } from './notice-phrases.js';
import { TokenUnreadable } from './reset-mail.js';

/** @throws TokenUnreadable, because a mail without its link is useless */
export function writeJoinMail({ language, values }: Omit<MailNotice, 'kind'>, { app, publicUrl }: MailConfig): MailText {
  const { token, until: expiresAt, client, inviter } = values;
  if (typeof token !== 'string') throw new TokenUnreadable();
  const phrase = createMailPhrase(language);
  const appName = client === undefined ? app.name : toOneLine(String(client));
  const event =
    inviter === undefined
      ? phrase('mail.join_text', { to: appName })
      : phrase('mail.join_text_by', { to: appName, inviter: toOneLine(String(inviter)) });
  const words: NoticeWords = {
    language,
    subject: phrase('mail.join', { to: appName }),
    appName: app.name,
    preheader: phrase('mail.join_once'),
    event,
    link: {
      text: phrase('mail.join_link'),
      url: buildLink(new URL(INVITATION_PATH, publicUrl), FIELDS.linkToken, token),
    },
    facts: [[phrase('mail.join_until'), formatTime(new Date(String(expiresAt)), language, app)]],
    advice: [phrase('mail.join_once'), phrase('mail.join_if_not')],
    footer: phrase('mail.reset_sent_footer', { app: app.name }),
  };
  return toMail(words, app);
}
