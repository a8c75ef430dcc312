/** Selects the writer for each kind of mail. */
import type { WaitingMail } from './mail-queue.port.js';
import { deletionMail } from './deletion-mail.js';
import { noticeMail } from './notice-mail.js';
import type { MailText } from './notice-mail.js';
import { passwordElsewhereMail } from './password-elsewhere-mail.js';
import { proofCodeMail } from './proof-code-mail.js';
import { resetMail } from './reset-mail.js';
import { securedMail } from './secured-mail.js';
import type { SecuredMailConfig } from './secured-mail.js';

/** @throws NoticeKindUnknown, TokenUnreadable */
export function renderMail(
  mail: Omit<WaitingMail, 'id' | 'tries' | 'triesLeft' | 'recipient' | 'expired'>,
  config: SecuredMailConfig,
): MailText {
  switch (mail.kind) {
    case 'password-reset':
    case 'reset-link':
    case 'invitation':
      return resetMail(mail.kind, mail, config);
    case 'password-elsewhere':
      return passwordElsewhereMail(mail, config);
    case 'deletion-requested':
    case 'account-deleted':
      return deletionMail(mail.kind, mail, config);
    case 'account-secured':
      return securedMail(mail, config);
    default:
      return mail.kind.endsWith('-code') ? proofCodeMail(mail, config.app) : noticeMail(mail, config);
  }
}
