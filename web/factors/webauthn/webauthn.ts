/** Describes security keys to the pages: icon, texts and components. */
import { KeyIcon } from '../../ui/account/icons.js';
import type { BrowserFactor } from '../factor.js';
import { ConfirmByKey, VerifyKey } from './key-proofs.js';
import { SetUpKey } from './set-up.js';

export const WEBAUTHN: BrowserFactor = {
  name: 'fido2',
  Icon: KeyIcon,
  verify: {
    heading: 'mfa.heading_key',
    use: 'mfa.use_key',
    row: { title: 'factor.key', text: 'mfa.key_row' },
    View: VerifyKey,
  },
  setUp: {
    heading: 'factor.key_heading',
    replaceHeading: 'settings.replace_key',
    text: 'factor.key_text',
    replaceText: 'settings.replace_key_text',
    row: 'mfa.enrol_key_row',
    worksWithoutScript: false,
    View: SetUpKey,
    overview: {
      heading: 'manage_mfa.keys',
      name: 'factor.key',
      activate: 'manage_mfa.activate_key',
      activateAnother: 'manage_mfa.activate_another',
      description: 'manage_mfa.key_about',
      addedMessage: 'manage.key_added',
      removedMessage: 'manage.key_removed',
      summary: 'manage.keys',
    },
    confirm: { text: 'confirm.text_key', use: 'confirm.use_key', View: ConfirmByKey },
  },
};
