import { FIELDS } from '../../contract/form-fields.js';
import { Challenge, OptionalText } from '../../gateway/http/form-fields.decorators.js';

export class LoginQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';
}

export class LoginForm {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(1024)
  [FIELDS.username]?: string;

  /** The password check limits the length in bytes; this only limits the work. */
  @OptionalText(4096)
  [FIELDS.password]?: string;

  @OptionalText(10)
  [FIELDS.remember]?: string;

  /** Unknown values count as none. */
  @OptionalText(20)
  [FIELDS.passkeyCreation]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}
