/** Describes codes by e-mail to the pages: icon, texts and components. */
import type { BrowserFactor } from '../factor.js';
import { ConfirmByEmailCode } from './confirm.js';
import { MailIcon } from '../../ui/account/icons.js';
import { SetUpEmailCode } from './set-up.js';
import { VerifyEmailCode } from './verify.js';

export const EMAIL_CODE: BrowserFactor = {
  name: 'email-code',
  Icon: MailIcon,
  verify: {
    heading: 'factor.email_verify_heading',
    use: 'factor.email_use',
    row: { title: 'factor.email', text: 'factor.email_row' },
    View: VerifyEmailCode,
  },
  setUp: {
    heading: 'factor.email_heading',
    text: 'factor.email_text',
    row: 'factor.email_row',
    worksWithoutScript: true,
    View: SetUpEmailCode,
    overview: {
      heading: 'factor.email',
      name: 'factor.email',
      activate: 'factor.email_activate',
      description: 'manage_mfa.email_about',
      addedMessage: 'manage.email_added',
      removedMessage: 'manage.email_removed',
      summary: 'factor.email',
    },
    confirm: { text: 'factor.email_confirm_text', use: 'factor.email_use', View: ConfirmByEmailCode },
  },
};
