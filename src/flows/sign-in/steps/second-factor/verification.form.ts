import { MANAGE_QUERY, FIELDS } from '../../../../contract/form-fields.js';
import { Challenge, OptionalText } from '../../../../gateway/http/form-fields.decorators.js';

export class VerificationQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  /** The factor that the page shows; an unknown name is ignored. */
  @OptionalText(20)
  [MANAGE_QUERY.method]?: string;

  /** The factor to set up. */
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

  @OptionalText(5)
  [FIELDS.trustBrowser]?: string;

  @OptionalText(10)
  [FIELDS.proceed]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}
