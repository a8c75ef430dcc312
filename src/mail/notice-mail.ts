/**
 * Writes a notice: what happened, when and to which account, and what to do if it was somebody else. No links, so that
 * nobody learns to follow one in a mail about their security; values stand in the body only, never in a header.
 */
import type { Locale } from '../contract/locale.js';
import { noticeMarkup } from './notice-markup.js';
import type { Fact, NoticeWords } from './notice-markup.js';
import { factorKey, mailPhrases, topicKeys } from './notice-phrases.js';
import type { MailPhrase } from './notice-phrases.js';

export interface NoticeAbout {
  /** One of `NoticeTopic`, or something newer. */
  kind: string;
  locale: Locale;
  username?: string;
  values: Readonly<Record<string, string | number>>;
  queuedAt: Date;
}

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** @throws TopicUnknown */
export function noticeMail(notice: NoticeAbout, app: { name: string; loginAddress: string }): MailText {
  const words = wordsOf(notice, app);
  return { subject: words.subject, text: plain(words), html: noticeMarkup(words) };
}

function wordsOf(notice: NoticeAbout, app: { name: string; loginAddress: string }): NoticeWords {
  const phrase = mailPhrases(notice.locale);
  const { subject, event } = topicKeys(notice.kind);
  const names = { app: app.name, address: app.loginAddress };
  return {
    locale: notice.locale,
    subject: phrase(subject, names),
    appName: app.name,
    greeting: phrase('mail.greeting'),
    event: phrase(event, names),
    facts: factsOf(notice, phrase),
    advice: [phrase('mail.if_it_was_you'), phrase('mail.if_not', names), phrase('mail.if_locked_out', names)],
    footer: phrase('mail.footer', names),
  };
}

function factsOf({ username, values, queuedAt, locale }: NoticeAbout, phrase: MailPhrase): Fact[] {
  const factor = factorKey(values['factor']);
  const facts: [string, string | number | undefined][] = [
    // The name as it was when this happened.
    [phrase('mail.account'), values['username'] ?? username],
    [phrase('mail.when'), whenText(queuedAt, locale)],
    [phrase('mail.key'), values['name']],
    [phrase('mail.factor'), factor && phrase(factor)],
    [phrase('mail.codes_left'), values['left']],
  ];
  return facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, oneLine(String(value))] as const]));
}

/** In UTC, and says so: the zone of the reader is not known. */
function whenText(at: Date, locale: Locale): string {
  const parts = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
  const language = locale === 'en' ? 'en-GB' : locale;
  return new Intl.DateTimeFormat(language, { ...parts, timeZone: 'UTC', timeZoneName: 'short' }).format(at);
}

/** A name from elsewhere must not look like a line of ours. */
export function oneLine(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
}

/** The words as plain text. */
export function plain({ greeting, event, link, facts, advice, footer, appName }: NoticeWords): string {
  const lines = facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  // The mark of a signature (RFC 3676, section 4.3).
  return [greeting, event, ...(link ? [`${link.text}:\n${link.url}`] : []), lines, ...advice, `-- \n${appName}\n${footer}`]
    .join('\n\n')
    .concat('\n');
}
