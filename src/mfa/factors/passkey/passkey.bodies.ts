/** Bodies of the RPC calls about passkeys. `ceremony.ts` verifies the browser's responses. */
import { Allow, IsObject, ValidateIf } from 'class-validator';
import { CallBody } from '../../../gateway/http/body-rules.js';
import { CallText } from '../../../gateway/http/form-fields.decorators.js';

@CallBody()
class ConfirmBody {
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

export const PASSKEY_BODIES = { confirm: ConfirmBody, proof: AssertionBody };
