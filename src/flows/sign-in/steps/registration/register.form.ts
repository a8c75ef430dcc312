import { MANAGE_QUERY, FIELDS } from '../../../../contract/form-fields.js';
import { Challenge, OptionalText } from '../../../../gateway/http/form-fields.decorators.js';

export class RegisterForm {
  @Challenge()
  [FIELDS.loginChallenge] = '';
}

/** Parameter with the proof that the status was made for this browser. */
export const PROOF = 'proof';

export class CallbackQuery {
  @OptionalText(100)
  [MANAGE_QUERY.status]?: string;

  @OptionalText(100)
  [PROOF]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}
