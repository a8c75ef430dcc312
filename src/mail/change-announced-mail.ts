/** Writes the mail about a change that the help desk requested without checking who was calling. The link of the mail stops the change. */
import { FIELDS } from '../contract/form-fields.js';
import { PATHS } from '../contract/paths.js';
import {
  buildLink,
  formatTime,
  toFacts,
  toMail,
  toOneLine,
  type MailConfig,
  type MailText,
  type MailNotice,
} from './notice-mail.js';
import type { NoticeWords } from './notice-markup.js';
import { createMailPhrase } from './notice-phrases.js';

const EVENTS = {
  factors: 'mail.change_announced_factors',
  factor: 'mail.change_announced_factor',
  password: 'mail.change_announced_password',
  address: 'mail.change_announced_address',
  'no-address': 'mail.change_announced_no_address',
  source: 'mail.change_announced_source',
  other: 'mail.change_announced_unnamed',
} as const;

const isKnown = (change: unknown): change is keyof typeof EVENTS => typeof change === 'string' && Object.hasOwn(EVENTS, change);

/**
 * If the secret that sealed the row is no longer configured, the mail has neither the date nor the link: the person can still call the
 * help desk.
 */
export function writeChangeAnnouncedMail(notice: MailNotice, { app, publicUrl }: MailConfig): MailText {
  const { language, values } = notice;
  const { stop: stopToken, change, email = '', from: startsAt } = values;
  const phrase = createMailPhrase(language);
  const start = typeof startsAt === 'string' ? formatTime(new Date(startsAt), language, app) : '';
  const names = { app: app.name, address: app.loginAddress, email: toOneLine(String(email)), start };
  const event = phrase(EVENTS[isKnown(change) ? change : 'other'], names);
  const unchecked = phrase('mail.change_announced_unchecked');
  const warning = start === '' ? unchecked : `${unchecked} ${phrase('mail.change_announced_start', names)}`;
  const url = typeof stopToken === 'string' ? buildLink(new URL(PATHS.stopChange, publicUrl), FIELDS.linkToken, stopToken) : null;
  const words: NoticeWords = {
    language,
    subject: phrase('mail.change_announced', names),
    appName: app.name,
    preheader: warning,
    event: `${event} ${warning}`,
    ...(url === null ? {} : { link: { text: phrase('mail.change_announced_stop'), url } }),
    facts: toFacts(notice, phrase, app),
    advice: [
      phrase('mail.change_announced_if_you'),
      url === null ? phrase('mail.if_not_yours', names) : phrase('mail.change_announced_if_not', names),
    ],
    footer: phrase('mail.footer', names),
  };
  return toMail(words, app);
}
