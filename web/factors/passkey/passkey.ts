/** Describes passkeys to the pages: icon, texts and components. Signing in with a passkey is part of the login page. */
import { PasskeyIcon } from './passkey-icon.js';
import type { BrowserFactor } from '../factor.js';
import { ConfirmByPasskey, VerifyPasskey } from './passkey-proofs.js';
import { SetUpPasskey } from './set-up.js';

export const PASSKEY: BrowserFactor = {
  name: 'passkey',
  Icon: PasskeyIcon,
  verify: {
    heading: 'mfa.heading_passkey',
    use: 'mfa.use_passkey',
    row: { title: 'factor.passkey', text: 'mfa.passkey_row' },
    View: VerifyPasskey,
  },
  setUp: {
    heading: 'factor.passkey_heading',
    text: 'factor.passkey_text',
    row: 'mfa.passkey_row',
    worksWithoutScript: false,
    replacesPassword: true,
    View: SetUpPasskey,
    overview: {
      heading: 'factor.passkeys',
      name: 'factor.passkey',
      activate: 'manage_mfa.activate_passkey',
      activateAnother: 'manage_mfa.activate_another_passkey',
      description: 'manage_mfa.passkey_about',
      note: 'manage_mfa.passkey_note',
      addedMessage: 'manage.passkey_added',
      removedMessage: 'manage.passkey_removed',
      summary: 'manage.passkeys',
    },
    confirm: { text: 'confirm.text_passkey', use: 'confirm.use_passkey', View: ConfirmByPasskey },
  },
};
