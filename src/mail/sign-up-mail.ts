/**
 * Writes the mails to a person who signed up and needs the approval of an operator: that an earlier application still waits, what was
 * decided, or that the application has expired. The mails contain no secret. The operator's words to the person are in the body only.
 */
import { toMail, toOneLine, type MailConfig, type MailText, type MailNotice } from './notice-mail.js';
import type { NoticeWords } from './notice-markup.js';
import { createMailPhrase } from './notice-phrases.js';

const PHRASES = {
  'sign-up-waits': {
    subject: 'mail.sign_up_waits',
    event: 'mail.sign_up_waits_text',
    advice: ['mail.sign_up_waits_how', 'mail.account_exists_if_not'],
  },
  'sign-up-approved': {
    subject: 'mail.sign_up_approved',
    event: 'mail.sign_up_approved_text',
    advice: ['mail.sign_up_approved_how'],
  },
  'sign-up-refused': {
    subject: 'mail.sign_up_refused',
    event: 'mail.sign_up_refused_text',
    advice: ['mail.sign_up_deleted'],
  },
  'sign-up-expired': {
    subject: 'mail.sign_up_refused',
    event: 'mail.sign_up_expired_text',
    advice: ['mail.sign_up_deleted'],
  },
} as const;

type SignUpMailKind = keyof typeof PHRASES;

export const isSignUpMail = (kind: string): kind is SignUpMailKind => Object.hasOwn(PHRASES, kind);

export function writeSignUpMail(
  kind: SignUpMailKind,
  { language, username, values: { url, words } }: Omit<MailNotice, 'kind'>,
  { app }: MailConfig,
): MailText {
  const phrase = createMailPhrase(language);
  const { subject, event, advice } = PHRASES[kind];
  const names = { app: app.name, address: app.loginAddress };
  const isApproval = kind === 'sign-up-approved';
  const noticeWords: NoticeWords = {
    language,
    subject: phrase(subject, names),
    appName: app.name,
    preheader: phrase(advice[0], names),
    event: phrase(event, names),
    ...(isApproval && typeof url === 'string' ? { link: { text: phrase('mail.sign_up_approved_link'), url } } : {}),
    facts: [
      ...(isApproval && username !== undefined ? [[phrase('mail.account'), toOneLine(username)] as const] : []),
      ...(words === undefined ? [] : [[phrase('mail.sign_up_words'), toOneLine(String(words))] as const]),
    ],
    advice: advice.map((key) => phrase(key, names)),
    footer: phrase('mail.sign_up_footer', names),
  };
  return toMail(noticeWords, app);
}
