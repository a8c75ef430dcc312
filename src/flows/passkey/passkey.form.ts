import { FIELDS } from '../../contract/form-fields.js';
import { Challenge, OptionalText } from '../../gateway/http/form-fields.decorators.js';

export class PasskeyForm {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  /** `AuthenticationResponseJSON` (WebAuthn Level 3, section 5.1). */
  @OptionalText(16_384)
  [FIELDS.passkey]?: string;

  /** Typed before, for the page that is shown again. */
  @OptionalText(1024)
  [FIELDS.username]?: string;

  @OptionalText(10)
  [FIELDS.remember]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}
