/** A fresh proof by a code that comes by mail, for who has neither password nor factor (MAN-14). */
import { FIELDS } from '../../src/contract/form-fields.js';
import type { ManageConfirmPage } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { usePhrases } from '../phrases/say.js';
import { hiddenOf } from '../ui/account/area.js';
import { CodeField } from '../ui/account/code-field.js';
import { alertFor } from '../ui/account/fault.js';
import type { Fault } from '../ui/account/fault.js';
import { Form, SubmitButton } from '../ui/form.js';

export function ConfirmByMail({ state, fault }: { state: ManageConfirmPage; fault: Fault | null }) {
  const { text } = usePhrases();
  const { next, mail } = state.manage_confirm;
  const hidden = { ...hiddenOf(state), [FIELDS.next]: next, [FIELDS.method]: 'mail' };
  if (!mail?.sent) {
    return (
      <Form action={PATHS.manageConfirm} className="tight" hidden={hidden}>
        <SubmitButton primary label={text('confirm.mail_send')} busyLabel={text('confirm.mail_sending')} />
      </Form>
    );
  }
  return (
    <div className="tight">
      <Form action={PATHS.manageConfirm} className="flow" hidden={hidden}>
        <CodeField alertId={alertFor(fault, ['invalid verification code'])} autoFocus={!fault} />
        <SubmitButton primary label={text('confirm.submit')} busyLabel={text('factor.checking')} />
      </Form>
      <Form action={PATHS.manageConfirm} className="tight" hidden={hidden}>
        <SubmitButton look="quiet" label={text('confirm.mail_again')} busyLabel={text('confirm.mail_sending')} />
      </Form>
    </div>
  );
}
