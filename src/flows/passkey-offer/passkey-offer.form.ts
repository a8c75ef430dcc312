import { FIELDS } from '../../contract/form-fields.js';
import { Challenge, OptionalText } from '../../gateway/http/form-fields.decorators.js';

export class OfferQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';
}

export class OfferForm extends OfferQuery {
  @OptionalText(16_384)
  [FIELDS.ticket]?: string;

  /** JSON of the new credential; absent if the person continues without a passkey. */
  @OptionalText(65_536)
  [FIELDS.credential]?: string;

  @OptionalText(100)
  [FIELDS.setupSession]?: string;
}
