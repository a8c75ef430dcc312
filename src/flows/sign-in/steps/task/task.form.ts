import { FIELDS } from '../../../../contract/form-fields.js';
import { Challenge, OptionalText } from '../../../../gateway/http/form-fields.decorators.js';

/** Limits only the work: the check of a new password limits its length in bytes. */
const MAX_PASSWORD_LENGTH = 4096;
const MAX_TRUST_LENGTH = 100;

export class TaskQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(MAX_TRUST_LENGTH)
  [FIELDS.trustBrowser]?: string;
}

export class TaskForm extends TaskQuery {
  @OptionalText(20)
  [FIELDS.task]?: string;

  @OptionalText(MAX_PASSWORD_LENGTH)
  [FIELDS.password]?: string;

  @OptionalText(MAX_PASSWORD_LENGTH)
  [FIELDS.passwordRepeat]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}
