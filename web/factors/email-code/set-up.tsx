/** Sets up codes by e-mail. A code proves that the address belongs to the person. */
import type { EmailCodeState } from '../../../src/contract/mfa-state.js';
import { CancelLink } from '../../ui/account/cancel-link.js';
import { useFault } from '../../ui/account/fault.js';
import type { SetUpProps } from '../factor.js';
import { CodeForms } from './code-forms.js';

export function SetUpEmailCode({ setup, error, retryAfterSeconds, action, hidden, otherLink }: SetUpProps) {
  const { fault } = useFault(error, { retryAfterSeconds });
  return (
    <CodeForms
      state={setup as EmailCodeState | undefined}
      action={action}
      hidden={hidden}
      fault={fault}
      submitLabel="factor.activate"
      otherLinks={otherLink ?? <CancelLink />}
    />
  );
}
