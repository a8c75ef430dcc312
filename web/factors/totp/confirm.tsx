/** Asks for a fresh proof with a code from an authenticator app. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import { PATHS } from '../../../src/contract/paths.js';
import { CodeField } from '../../ui/account/code-field.js';
import { toHiddenFields } from '../../ui/account/manage-frame.js';
import { Form, SubmitButton } from '../../ui/form.js';
import type { ConfirmProps } from '../factor.js';

export function ConfirmByTotp({ state, fault, otherLinks }: ConfirmProps) {
  const { t } = useTranslation();
  const { next, method } = state.manage_confirm;
  const hidden = { ...toHiddenFields(state), [FIELDS.next]: next, [FIELDS.method]: method };
  return (
    <Form className="flow" action={PATHS.manageConfirm} hidden={hidden}>
      <CodeField fault={fault} autoFocus />
      <div className="tight">
        <SubmitButton primary label={t('confirm.submit')} busyLabel={t('factor.checking')} />
        {otherLinks}
      </div>
    </Form>
  );
}
