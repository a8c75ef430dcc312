/** Asks for a fresh proof with a code by e-mail. */
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { EmailCodeState } from '../../../src/contract/mfa-state.js';
import { PATHS } from '../../../src/contract/paths.js';
import { toHiddenFields } from '../../ui/account/manage-frame.js';
import type { ConfirmProps } from '../factor.js';
import { CodeForms } from './code-forms.js';

export function ConfirmByEmailCode({ state, fault, otherLinks }: ConfirmProps) {
  const { next, method, factor } = state.manage_confirm;
  return (
    <CodeForms
      state={factor as EmailCodeState | undefined}
      action={PATHS.manageConfirm}
      hidden={{ ...toHiddenFields(state), [FIELDS.next]: next, [FIELDS.method]: method }}
      fault={fault}
      submitLabel="confirm.submit"
      otherLinks={otherLinks}
    />
  );
}
