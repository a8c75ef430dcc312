/** Describes authenticator apps to the pages: icon, texts and components. */
import { PhoneIcon } from '../../ui/account/icons.js';
import type { BrowserFactor } from '../factor.js';
import { ConfirmByTotp } from './confirm.js';
import { SetUpTotp } from './set-up.js';
import { VerifyTotp } from './verify.js';

export const TOTP: BrowserFactor = {
  name: 'totp',
  Icon: PhoneIcon,
  verify: {
    heading: 'mfa.heading_totp',
    use: 'mfa.use_totp',
    row: { title: 'factor.totp', text: 'mfa.totp_row' },
    View: VerifyTotp,
  },
  setUp: {
    heading: 'factor.totp_heading',
    replaceHeading: 'settings.replace_totp',
    replaceText: 'settings.replace_totp_text',
    row: 'mfa.enrol_totp_row',
    worksWithoutScript: true,
    View: SetUpTotp,
    overview: {
      heading: 'manage_mfa.totp',
      name: 'factor.totp',
      activate: 'manage_mfa.activate_totp',
      description: 'manage_mfa.totp_about',
      addedMessage: 'manage.totp_added',
      removedMessage: 'manage.totp_removed',
      summary: 'factor.totp',
    },
    confirm: { text: 'confirm.text_totp', use: 'confirm.use_totp', View: ConfirmByTotp },
  },
};
