import { FIELDS, PROVIDER_QUERY } from '../../../../contract/form-fields.js';
import { Challenge, OptionalText } from '../../../../gateway/http/form-fields.decorators.js';

export class StartAtProviderQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  /** The value of the checkbox of the login page; a script adds it to the link. */
  @OptionalText(10)
  [FIELDS.remember]?: string;

  /** The address that was typed on the login page. */
  @OptionalText(320)
  [PROVIDER_QUERY.loginHint]?: string;
}

export class StoredCallbackQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(100)
  [PROVIDER_QUERY.answer]?: string;
}

export class ChoiceForm {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(100)
  [FIELDS.token]?: string;

  /** Id of the chosen account (specification, section 2). */
  @OptionalText(100)
  [FIELDS.username]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}
