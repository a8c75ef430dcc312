/**
 * Writes the two mails about a deletion that no notice is like: that an account will be deleted, with a link that keeps it, and
 * that it has been deleted, without any link.
 */
import { FIELDS } from '../contract/form-fields.js';
import { PATHS } from '../contract/paths.js';
import { factsOf, linkWith, mailOf, notMeLink, whenText } from './notice-mail.js';
import type { MailApp, MailConfig, MailText, NoticeAbout } from './notice-mail.js';
import type { Fact, MailLink, NoticeWords } from './notice-markup.js';
import { mailPhrases, noticeKeys } from './notice-phrases.js';
import type { MailPhrase } from './notice-phrases.js';

export type DeletionMailKind = 'deletion-requested' | 'account-deleted';

export function deletionMail(kind: DeletionMailKind, about: NoticeAbout, config: MailConfig): MailText {
  const { app } = config;
  const phrase = mailPhrases(about.language);
  const names = { app: app.name, address: app.loginAddress };
  const { subject, event } = noticeKeys(kind);
  const words: NoticeWords = {
    language: about.language,
    subject: phrase(subject, names),
    appName: app.name,
    greeting: phrase('mail.greeting'),
    event: phrase(event, names),
    facts: [...factsOf(about, phrase, app), ...dueFact(about, phrase, app)],
    advice: [
      ...(kind === 'deletion-requested' ? waysBack(about, phrase, config) : [phrase('mail.account_deleted_left')]),
      phrase('mail.if_not_yours', names),
    ],
    footer: phrase('mail.footer', names),
  };
  return mailOf(words, app);
}

function dueFact({ values: { due }, language }: NoticeAbout, phrase: MailPhrase, app: MailApp): Fact[] {
  return typeof due === 'string' ? [[phrase('mail.due'), whenText(new Date(due), language, app)]] : [];
}

/** Without its token, because the secret of the row is no longer configured, the account is kept in the account area. */
function waysBack(about: NoticeAbout, phrase: MailPhrase, { app, publicUrl }: MailConfig): (string | MailLink)[] {
  const names = { app: app.name, address: app.loginAddress };
  const { keep } = about.values;
  const url = new URL(PATHS.keepAccount, publicUrl);
  const link =
    typeof keep === 'string'
      ? [phrase('mail.keep_text'), { text: phrase('mail.keep'), url: linkWith(url, FIELDS.noticeToken, keep) }]
      : [phrase('mail.keep_elsewhere', names)];
  const isMailed = typeof about.values['token'] === 'string';
  const notMe = [...notMeLink(about, phrase, { names, publicUrl }), ...(isMailed ? [phrase('mail.not_me_keeps')] : [])];
  return [phrase('mail.deletion_wait'), ...link, ...notMe];
}
