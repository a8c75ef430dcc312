import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import { Challenge, OptionalText } from '../../gateway/http/form-fields.decorators.js';

export class RegisterForm {
  @Challenge()
  [FIELDS.loginChallenge] = '';
}

export class CallbackQuery {
  @OptionalText(100)
  [MANAGE_QUERY.status]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}
