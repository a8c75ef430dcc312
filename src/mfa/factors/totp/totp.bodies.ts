/** Bodies of the RPC calls about an authenticator app. */
import { FIELDS } from '../../../contract/form-fields.js';
import { CallBody } from '../../../gateway/http/body-rules.js';
import { CallFlag, CallText } from '../../../gateway/http/form-fields.decorators.js';

@CallBody('optional')
class BeginBody {
  /** The new app replaces the current one. */
  @CallFlag()
  replace = false;
}

@CallBody()
class ConfirmBody extends BeginBody {
  @CallText()
  [FIELDS.code] = '';
}

@CallBody()
class CodeBody {
  @CallText()
  [FIELDS.code] = '';
}

export const TOTP_BODIES = { begin: BeginBody, confirm: ConfirmBody, proof: CodeBody };
