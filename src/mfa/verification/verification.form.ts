import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import { Challenge, OptionalText } from '../../gateway/http/form-fields.decorators.js';

export class VerificationQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  /** Which factor the page is about; what it does not know it passes over. */
  @OptionalText(20)
  [MANAGE_QUERY.method]?: string;

  /** Which factor is to be set up. */
  @OptionalText(20)
  [MANAGE_QUERY.setup]?: string;
}

export class VerificationForm {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(100)
  [FIELDS.mfaToken]?: string;

  @OptionalText(100)
  [FIELDS.code]?: string;

  @OptionalText(20)
  [FIELDS.method]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}
