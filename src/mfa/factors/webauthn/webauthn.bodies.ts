/** What the calls about security keys bring. What a browser's key made, the ceremonies alone judge. */
import { Allow, IsObject, ValidateIf } from 'class-validator';
import { CallBody } from '../../../gateway/http/body-rules.js';
import { CallText } from '../../../gateway/http/form-fields.decorators.js';

@CallBody()
class ConfirmBody {
  @CallText()
  sessionId = '';

  /** An object, or its JSON. */
  @ValidateIf((_, value) => typeof value !== 'string')
  @IsObject()
  credentialJson: object | string;

  @CallText()
  name = '';

  /** Id of the key that goes when the new one has come. */
  @CallText()
  replaces = '';
}

@CallBody()
class AssertionBody {
  @Allow()
  id: unknown;

  @Allow()
  rawId: unknown;

  @Allow()
  type: unknown;

  @Allow()
  response: unknown;
}

export const WEBAUTHN_BODIES = { confirm: ConfirmBody, proof: AssertionBody };
