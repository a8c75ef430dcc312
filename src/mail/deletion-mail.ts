/**
 * Writes the two mails about a deletion. The first announces the deletion and, at the current address of the account, has a link that
 * keeps the account; the second reports the deletion and has no link.
 */
import { FIELDS } from '../contract/form-fields.js';
import { PATHS } from '../contract/paths.js';
import {
  toFacts,
  buildLink,
  toMail,
  toNotMeWords,
  formatTime,
  type MailConfig,
  type MailText,
  type MailNotice,
} from './notice-mail.js';
import type { MailLink, NoticeWords } from './notice-markup.js';
import { createMailPhrase, getNoticeKeys, type MailPhrase } from './notice-phrases.js';

export type DeletionMailKind = 'deletion-requested' | 'account-deleted';

export function writeDeletionMail(kind: DeletionMailKind, notice: MailNotice, config: MailConfig): MailText {
  const { app } = config;
  const { language, values } = notice;
  const phrase = createMailPhrase(language);
  const { due } = values;
  const dueText = typeof due === 'string' ? formatTime(new Date(due), language, app) : '';
  const names = { app: app.name, address: app.loginAddress, due: dueText };
  const { subject, event } = getNoticeKeys(kind);
  const isAnnouncement = kind === 'deletion-requested';
  const link = isAnnouncement ? buildKeepLink(notice, phrase, config) : undefined;
  // If the secret that sealed the row is no longer configured, the date is unknown.
  const date = isAnnouncement && dueText !== '' ? [phrase('mail.deletion_requested_due', names)] : [];
  const howToKeep = isAnnouncement ? [phrase(link ? 'mail.keep_text' : 'mail.keep_elsewhere', names)] : [];
  const text = [phrase(event, names), ...date, ...howToKeep].join(' ');
  const { notMe, advice } = isAnnouncement
    ? toNotMeAdvice(notice, phrase, { names, publicUrl: config.publicUrl })
    : { advice: [phrase('mail.account_deleted_left')] };
  const words: NoticeWords = {
    language,
    subject: phrase(subject, names),
    appName: app.name,
    preheader: text,
    event: text,
    ...(link ? { link } : {}),
    ...(notMe ? { notMe } : {}),
    facts: toFacts(notice, phrase, app),
    advice: [...advice, phrase('mail.if_not_yours', names)],
    footer: phrase('mail.footer', names),
  };
  return toMail(words, app);
}

/**
 * @returns undefined for a mail to a former address, or if the token was sealed with a removed secret; the person can still keep the
 * account in the account area
 */
function buildKeepLink(
  { values: { keep: keepToken } }: MailNotice,
  phrase: MailPhrase,
  { publicUrl }: MailConfig,
): MailLink | undefined {
  if (typeof keepToken !== 'string') return undefined;
  return { text: phrase('mail.keep'), url: buildLink(new URL(PATHS.keepAccount, publicUrl), FIELDS.linkToken, keepToken) };
}

function toNotMeAdvice(
  notice: MailNotice,
  phrase: MailPhrase,
  config: Parameters<typeof toNotMeWords>[2],
): Pick<NoticeWords, 'notMe'> & { advice: string[] } {
  const { notMe, ifNot, linkAdvice } = toNotMeWords(notice, phrase, config);
  return notMe ? { notMe, advice: [ifNot, ...linkAdvice, phrase('mail.not_me_keeps')] } : { advice: [ifNot] };
}
