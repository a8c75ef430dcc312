/**
 * Writes a notice: what happened, when, for which account, from which network, and what to do if it was another person.
 * If it has a link, the link is "That was not me". A notice requests no credentials, unlike a phishing mail. Values from outside
 * appear only in the body, never in a header. The other mails use the links, facts and times of this file too.
 */
import type { Language } from '../../locales/languages.js';
import type { Config } from '../config/config.js';
import { FIELDS } from '../contract/form-fields.js';
import { PATHS } from '../contract/paths.js';
import { buildMarkup, type Fact, type MailLook, type NoticeWords } from './notice-markup.js';
import { findFactorKey, createMailPhrase, getNoticeKeys, type MailPhrase } from './notice-phrases.js';

export interface MailNotice {
  /** The kind of the mail, which may be unknown to this version of Foyer. */
  kind: string;
  language: Language;
  username?: string;
  values: Readonly<Record<string, string | number>>;
  queuedAt: Date;
}

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** The settings of the installation that appear in mails. */
export type MailApp = Pick<Config['app'], 'name' | 'loginAddress' | 'timeZone'> & MailLook;

/** Links to Foyer use the configured address, never one from a request (S-20). */
export type MailConfig = Pick<Config, 'publicUrl'> & { app: MailApp };

/** @throws NoticeKindUnknown */
export function writeNoticeMail(notice: MailNotice, config: MailConfig): MailText {
  const words = toWords(notice, config);
  return toMail(words, config.app);
}

function toWords(notice: MailNotice, { app, publicUrl }: MailConfig): NoticeWords {
  const phrase = createMailPhrase(notice.language);
  const { subject, event } = getNoticeKeys(notice.kind);
  const names = { app: app.name, address: app.loginAddress };
  const { notMe, ifNot, linkAdvice } = toNotMeWords(notice, phrase, { names, publicUrl });
  const wasItYou = `${phrase('mail.if_it_was_you')} ${ifNot}`;
  return {
    language: notice.language,
    subject: phrase(subject, names),
    appName: app.name,
    preheader: wasItYou,
    event: phrase(event, names),
    ...(notMe ? { notMe } : {}),
    facts: toFacts(notice, phrase, app),
    advice: [wasItYou, ...linkAdvice, phrase('mail.if_locked_out', names)],
    footer: phrase('mail.footer', names),
  };
}

/** The advice for the case that it was another person. `linkAdvice`: sentences about the button. */
type NotMeWords = Pick<NoticeWords, 'notMe'> & { ifNot: string; linkAdvice: string[] };

/** If the notice has no token (queued without a link, or sealed with a removed secret), the mail has no link. */
export function toNotMeWords(
  { kind, values: { token } }: MailNotice,
  phrase: MailPhrase,
  { names, publicUrl }: { names: Readonly<Record<string, string>>; publicUrl: string },
): NotMeWords {
  if (typeof token !== 'string') return { ifNot: phrase('mail.if_not', names), linkAdvice: [] };
  const url = buildLink(new URL(PATHS.notMe, publicUrl), FIELDS.linkToken, token);
  // The link also undoes a change of the e-mail address (`former-emails.ts`).
  const text = kind === 'own-email-changed' ? 'mail.not_me_text_email' : 'mail.not_me_text';
  return { notMe: { text: phrase('mail.not_me'), url }, ifNot: phrase(text), linkAdvice: [phrase('mail.not_me_time')] };
}

export function buildLink(url: URL, field: string, token: string): string {
  url.searchParams.set(field, token);
  return url.href;
}

export function toFacts(
  { username, values, queuedAt, language }: Omit<MailNotice, 'kind'>,
  phrase: MailPhrase,
  app: Pick<MailApp, 'timeZone'>,
): Fact[] {
  const factor = findFactorKey(values['factor']);
  const facts: [string, string | number | undefined][] = [
    // A username in the values is the username at the time of the event.
    [phrase('mail.account'), values['username'] ?? username],
    [phrase('mail.when'), formatTime(queuedAt, language, app)],
    [phrase('mail.browser'), values['browser']],
    [phrase('mail.network'), values['network']],
    [phrase('mail.key'), values['name']],
    [phrase('mail.provider'), values['provider']],
    [phrase('mail.factor'), factor && phrase(factor)],
    [phrase('mail.codes_left'), values['left']],
  ];
  return facts.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, toOneLine(String(value))] as const],
  );
}

/** Formats a time in the time zone of the installation, and names that zone, because the reader's zone is unknown. */
export function formatTime(
  time: Date,
  { dates }: Pick<Language, 'dates'>,
  { timeZone = 'UTC' }: Pick<MailApp, 'timeZone'>,
): string {
  const parts = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat(dates, { ...parts, timeZone, timeZoneName: 'short' }).format(time);
}

/** Replaces line breaks, control and format characters with spaces, so that a value from outside cannot look like a line of the mail. */
export function toOneLine(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
}

/** @param look the look of the installation */
export function toMail(words: NoticeWords, look: MailLook): MailText {
  return { subject: words.subject, text: toPlainText(words), html: buildMarkup(words, look) };
}

function toPlainText({ language, event, link, notMe, facts, advice, footer, appName }: NoticeWords): string {
  // Isolates the value, so that it does not change the direction of its line (UAX #9).
  const isolate = (value: string): string => (language.dir === 'rtl' ? `\u2068${value}\u2069` : value);
  const phrase = createMailPhrase(language);
  const lines = facts.map(([name, value]) => phrase('mail.fact', { name, value: isolate(value) })).join('\n');
  const links = [link, notMe]
    .flatMap((each) => each ?? [])
    .map(({ text, url }) => phrase('mail.fact', { name: text, value: `\n${url}` }).replace(/ \n/, '\n'));
  // Signature delimiter (RFC 3676, section 4.3).
  return [event, ...links, ...(lines === '' ? [] : [lines]), ...advice, `-- \n${appName}\n${footer}`].join('\n\n').concat('\n');
}
