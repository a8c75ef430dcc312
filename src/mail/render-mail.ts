/** Selects the function that writes a mail of a kind. */
import type { Config } from '../config/config.js';
import type { WaitingMail } from './mail-queue.port.js';
import { deletionMail } from './deletion-mail.js';
import { noticeMail, type MailText, type NoticeAbout } from './notice-mail.js';
import { passwordElsewhereMail } from './password-elsewhere-mail.js';
import { proofCodeMail } from './proof-code-mail.js';
import { resetMail } from './reset-mail.js';
import { securedMail, type SecuredMailConfig } from './secured-mail.js';

/** @throws NoticeKindUnknown, TokenUnreadable, CodeUnreadable */
export function renderMail(
  mail: Omit<WaitingMail, 'id' | 'tries' | 'triesLeft' | 'recipient' | 'expired'>,
  config: SecuredMailConfig & { language: Pick<Config['language'], 'offered'> },
): MailText {
  const { locale, ...rest } = mail;
  const about: NoticeAbout = { ...rest, language: config.language.offered.of(locale) };
  switch (mail.kind) {
    case 'password-reset':
    case 'reset-link':
    case 'invitation':
      return resetMail(mail.kind, about, config);
    case 'password-elsewhere':
      return passwordElsewhereMail(about, config);
    case 'deletion-requested':
    case 'account-deleted':
      return deletionMail(mail.kind, about, config);
    case 'account-secured':
      return securedMail(about, config);
    default:
      return mail.kind.endsWith('-code') ? proofCodeMail(about, config.app) : noticeMail(about, config);
  }
}
