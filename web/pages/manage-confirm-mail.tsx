/** Asks for a proof with a code sent by mail, if the account has no other method, or as an alternative to a passkey (MAN-14). */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import type { ConfirmProps } from '../factors/factor.js';
import { toHiddenFields } from '../ui/account/manage-frame.js';
import { CodeField } from '../ui/account/code-field.js';
import { FaultAlert, type FaultWords } from '../ui/account/fault.js';
import { Form, SubmitButton } from '../ui/form.js';

/** Replaces the usual message, which is about the code of an authenticator app. */
const WORDS: FaultWords = { 'invalid verification code': ['confirm.mail_wrong', 'confirm.mail_wrong_next'] };

export function ConfirmByMail({ state, fault, otherLinks }: ConfirmProps) {
  const { t } = useTranslation();
  const { next, mail } = state.manage_confirm;
  const hidden = { ...toHiddenFields(state), [FIELDS.next]: next, [FIELDS.method]: 'mail' };
  if (!mail?.sent) {
    return (
      <>
        <FaultAlert fault={fault} words={WORDS} />
        <Form action={PATHS.manageConfirm} className="actions" hidden={hidden}>
          <SubmitButton primary label={t('confirm.mail_send')} busyLabel={t('confirm.mail_sending')} />
          {otherLinks}
        </Form>
      </>
    );
  }
  return (
    <div className="tight">
      <Form action={PATHS.manageConfirm} className="flow" hidden={hidden}>
        <CodeField fault={fault} words={WORDS} missingMessage="factor.email_missing" autoFocus />
        <SubmitButton primary label={t('confirm.submit')} busyLabel={t('factor.checking')} />
      </Form>
      <Form action={PATHS.manageConfirm} className="actions" hidden={hidden}>
        <SubmitButton className="quiet" label={t('confirm.mail_again')} busyLabel={t('confirm.mail_sending')} />
        {otherLinks}
      </Form>
    </div>
  );
}
