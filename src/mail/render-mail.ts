/** Selects the function that writes a mail of a kind. */
import type { Config } from '../config/config.js';
import type { WaitingMail } from './mail-queue.port.js';
import { writeChangeAnnouncedMail } from './change-announced-mail.js';
import { writeDeletionMail } from './deletion-mail.js';
import { writeNoticeMail, type MailText, type NoticeAbout } from './notice-mail.js';
import { writePasswordElsewhereMail } from './password-elsewhere-mail.js';
import { writeProofCodeMail } from './proof-code-mail.js';
import { writeResetMail } from './reset-mail.js';
import { writeSecuredMail, type SecuredMailConfig } from './secured-mail.js';

/** @throws NoticeKindUnknown, TokenUnreadable, CodeUnreadable */
export function renderMail(
  mail: Omit<WaitingMail, 'id' | 'tries' | 'triesLeft' | 'recipient' | 'expired'>,
  config: SecuredMailConfig & { language: Pick<Config['language'], 'offered'> },
): MailText {
  const { locale, ...rest } = mail;
  const about: NoticeAbout = { ...rest, language: config.language.offered.get(locale) };
  switch (mail.kind) {
    case 'password-reset':
    case 'reset-link':
    case 'invitation':
      return writeResetMail(mail.kind, about, config);
    case 'password-elsewhere':
      return writePasswordElsewhereMail(about, config);
    case 'deletion-requested':
    case 'account-deleted':
      return writeDeletionMail(mail.kind, about, config);
    case 'change-announced':
      return writeChangeAnnouncedMail(about, config);
    case 'account-secured':
      return writeSecuredMail(about, config);
    default:
      return mail.kind.endsWith('-code') ? writeProofCodeMail(about, config.app) : writeNoticeMail(about, config);
  }
}
