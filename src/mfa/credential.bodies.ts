/** Bodies of the RPC calls about security keys and passkeys. */
import { Allow, IsObject, ValidateIf } from 'class-validator';
import { CallBody } from '../gateway/http/body-rules.js';
import { CallText } from '../gateway/http/form-fields.decorators.js';

@CallBody()
export class CredentialBody {
  @CallText()
  sessionId = '';

  /** An object, or JSON text. */
  @ValidateIf((_, value) => typeof value !== 'string')
  @IsObject()
  credentialJson: object | string;

  @CallText()
  name = '';
}

@CallBody()
export class AssertionBody {
  @Allow()
  id: unknown;

  @Allow()
  rawId: unknown;

  @Allow()
  type: unknown;

  @Allow()
  response: unknown;
}
