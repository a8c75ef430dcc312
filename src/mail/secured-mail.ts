/**
 * Writes the mail that follows "that was not me": what has ended, and what to do. A password reset link in it has the usual short
 * lifetime, and the mail is useful without it too. The mail has no "that was not me" link.
 */
import type { Config } from '../config/config.js';
import { FIELDS } from '../contract/form-fields.js';
import { PATHS } from '../contract/paths.js';
import { toFacts, buildLink, toMail, formatTime, type MailConfig, type MailText, type MailNotice } from './notice-mail.js';
import type { NoticeWords } from './notice-markup.js';
import { createMailPhrase, type MailPhrase } from './notice-phrases.js';

export type SecuredMailConfig = MailConfig & { manage: Pick<Config['manage'], 'freezeSeconds'> } & Pick<
    Config,
    'sources' | 'scim'
  >;

/** Foyer cannot remove a password of a user source, so it refuses sign-ins with that password until the freeze has ended. */
function buildAdvice(
  { values: { source, emailRestored } }: Omit<MailNotice, 'kind'>,
  phrase: MailPhrase,
  names: Readonly<Record<string, string>>,
): string[] {
  const check = phrase('mail.secured_check', names);
  const restoredAdvice = emailRestored === undefined ? [] : [phrase('mail.secured_email')];
  if (source !== undefined)
    return [...restoredAdvice, phrase('mail.secured_elsewhere'), phrase('mail.secured_elsewhere_frozen'), check];
  return [phrase('mail.secured_time', names), ...restoredAdvice, phrase('mail.secured_frozen'), check];
}

export function writeSecuredMail(notice: Omit<MailNotice, 'kind'>, { app, publicUrl, manage }: SecuredMailConfig): MailText {
  const { language, queuedAt, values } = notice;
  const phrase = createMailPhrase(language);
  const names = { app: app.name, address: app.loginAddress };
  const { token } = values;
  const url = new URL(PATHS.passwordResetForm, publicUrl);
  const link =
    typeof token === 'string' ? { text: phrase('mail.reset_link'), url: buildLink(url, FIELDS.resetToken, token) } : undefined;
  const frozenUntil = new Date(queuedAt.getTime() + manage.freezeSeconds * 1000);
  const event = phrase(values['source'] === undefined ? 'mail.secured_text' : 'mail.secured_elsewhere_text', names);
  const words: NoticeWords = {
    language,
    subject: phrase('mail.secured'),
    appName: app.name,
    preheader: event,
    event,
    ...(link ? { link } : {}),
    facts: [...toFacts(notice, phrase, app), [phrase('mail.frozen'), formatTime(frozenUntil, language, app)]],
    advice: buildAdvice(notice, phrase, names),
    footer: phrase('mail.footer', names),
  };
  return toMail(words, app);
}
