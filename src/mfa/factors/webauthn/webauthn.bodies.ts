import { CallBody } from '../../../gateway/http/body-rules.js';
import { CallText } from '../../../gateway/http/form-fields.decorators.js';
import { AssertionBody, CredentialBody } from '../../credential.bodies.js';

@CallBody()
class ConfirmBody extends CredentialBody {
  /** Id of the key that the new key replaces. */
  @CallText()
  replaces = '';
}

export const WEBAUTHN_BODIES = { confirm: ConfirmBody, proof: AssertionBody };
