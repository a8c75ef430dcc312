/** Selects the function that writes a mail of a kind. */
import type { Config } from '../config/config.js';
import type { WaitingMail } from './mail-queue.port.js';
import { writeCodeNotSentMail } from './code-not-sent-mail.js';
import { writeAccountExistsMail } from './account-exists-mail.js';
import { writeChangeAnnouncedMail } from './change-announced-mail.js';
import { writeDeletionMail } from './deletion-mail.js';
import { writeNoticeMail, type MailText, type MailNotice } from './notice-mail.js';
import { writeJoinMail } from './join-mail.js';
import { writePasswordElsewhereMail } from './password-elsewhere-mail.js';
import { writeProofCodeMail } from './proof-code-mail.js';
import { writeResetMail } from './reset-mail.js';
import { isSignUpMail, writeSignUpMail } from './sign-up-mail.js';
import { writeSecuredMail, type SecuredMailConfig } from './secured-mail.js';

/** @throws NoticeKindUnknown, TokenUnreadable, CodeUnreadable */
export function renderMail(
  mail: Omit<WaitingMail, 'id' | 'tries' | 'triesLeft' | 'recipient' | 'expired'>,
  config: SecuredMailConfig & { language: Pick<Config['language'], 'offered'> },
): MailText {
  const { locale, ...rest } = mail;
  const notice: MailNotice = { ...rest, language: config.language.offered.get(locale) };
  if (isSignUpMail(mail.kind)) return writeSignUpMail(mail.kind, notice, config);
  switch (mail.kind) {
    case 'password-reset':
    case 'reset-link':
    case 'invitation':
      return writeResetMail(mail.kind, notice, config);
    case 'password-elsewhere':
      return writePasswordElsewhereMail(notice, config);
    case 'code-not-sent':
      return writeCodeNotSentMail(notice, config.app);
    case 'deletion-requested':
    case 'account-deleted':
      return writeDeletionMail(mail.kind, notice, config);
    case 'change-announced':
      return writeChangeAnnouncedMail(notice, config);
    case 'join-invitation':
      return writeJoinMail(notice, config);
    case 'account-exists':
      return writeAccountExistsMail(notice, config);
    case 'account-secured':
      return writeSecuredMail(notice, config);
    default:
      return mail.kind.endsWith('-code') ? writeProofCodeMail(notice, config.app) : writeNoticeMail(notice, config);
  }
}
