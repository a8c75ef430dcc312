import { FIELDS } from '../../contract/form-fields.js';
import { Challenge, OptionalText, Scopes } from '../../gateway/http/form-fields.decorators.js';

export class ConsentQuery {
  @Challenge()
  [FIELDS.consentChallenge] = '';
}

export class ConsentForm {
  @Challenge()
  [FIELDS.consentChallenge] = '';

  @Scopes()
  [FIELDS.scopes]: string[] = [];

  /** The scopes that the page showed as granted before. */
  @Scopes()
  [FIELDS.granted]: string[] = [];

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}
