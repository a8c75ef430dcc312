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

  /** The limit in bytes is the password check's; this one only bounds the work. */
  @OptionalText(4096)
  [FIELDS.password]?: string;

  @OptionalText(10)
  [FIELDS.remember]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}
