/** The forms that request a code by e-mail, submit it, and request another one. They are plain forms and work without script. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmailCodeState } from '../../../src/contract/mfa-state.js';
import type { RpcErrorCode } from '../../../src/contract/rpc.js';
import { CodeField } from '../../ui/account/code-field.js';
import { FaultAlert, type Fault, type FaultWords } from '../../ui/account/fault.js';
import { Form, SubmitButton } from '../../ui/form.js';
import type { MessageKey } from '../../i18n/phrase.js';

const CODE_WORDS: FaultWords = {
  'invalid verification code': ['factor.email_wrong', 'factor.email_wrong_next'],
  'session expired': ['factor.email_expired', 'factor.email_expired_next'],
};

/** Errors that another attempt cannot resolve, so the button is hidden. */
const FINAL_ERRORS: readonly string[] = ['factor unavailable', 'no e-mail address'] satisfies RpcErrorCode[];

interface Props {
  state: EmailCodeState | undefined;
  action: string;
  hidden: Readonly<Record<string, string>>;
  fault: Fault | null;
  words?: FaultWords;
  /** Shown above the field of the code. */
  aboveField?: ReactNode;
  /** Submits the form when the sixth digit is typed or the code is pasted. */
  shouldAutoSubmit?: boolean;
  /** Label of the button that submits the code. */
  submitLabel: MessageKey;
  /** Shown after the buttons. */
  otherLinks: ReactNode;
}

export function CodeForms({
  state,
  action,
  hidden,
  fault,
  words,
  aboveField,
  shouldAutoSubmit = false,
  submitLabel,
  otherLinks,
}: Props) {
  const { t } = useTranslation();
  const allWords = { ...CODE_WORDS, ...words };
  if (!state?.sent) {
    return (
      <>
        <FaultAlert fault={fault} words={allWords} />
        <Form className="actions" action={action} hidden={hidden}>
          {!FINAL_ERRORS.includes(fault?.code ?? '') && (
            <SubmitButton primary label={t('factor.email_send')} busyLabel={t('factor.email_sending')} />
          )}
          {otherLinks}
        </Form>
      </>
    );
  }
  return (
    <div className="tight">
      <Form className="flow" action={action} hidden={hidden}>
        <p>{t('factor.email_sent', { address: state.address })}</p>
        {aboveField}
        <CodeField
          fault={fault}
          words={allWords}
          missingMessage="factor.email_missing"
          autoFocus
          shouldAutoSubmit={shouldAutoSubmit}
        />
        <SubmitButton primary label={t(submitLabel)} busyLabel={t('factor.checking')} />
      </Form>
      <Form className="actions" action={action} hidden={hidden}>
        <SubmitButton className="quiet" label={t('factor.email_again')} busyLabel={t('factor.email_sending')} />
        {otherLinks}
      </Form>
    </div>
  );
}
