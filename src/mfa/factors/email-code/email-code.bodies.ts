/** Bodies of the RPC calls about codes by e-mail. */
import { FIELDS } from '../../../contract/form-fields.js';
import { CallBody } from '../../../gateway/http/body-rules.js';
import { CallText } from '../../../gateway/http/form-fields.decorators.js';

@CallBody()
class CodeBody {
  @CallText()
  [FIELDS.code] = '';
}

export const EMAIL_CODE_BODIES = { confirm: CodeBody, proof: CodeBody };
