/**
 * Enrolment of an authenticator app in three steps. With script the secret comes from an RPC call. Without script a form
 * requests the secret, and the server renders the same page with it. The page passes the targets of calls and forms.
 */
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { TotpSetupState } from '../../../src/contract/mfa-state.js';
import type { Answer, CallFailure } from '../../browser/calls/call.js';
import { useOnce } from '../../browser/once.js';
import { Form, SubmitButton } from '../../ui/form.js';
import { CodeField, toDigits } from '../../ui/account/code-field.js';
import { FaultAlert, useFault, type Fault, type FaultCode } from '../../ui/account/fault.js';
import { QrCode } from './qr-code.js';
import '../../styles/account.css';

export interface TotpActions {
  /** Target of the forms that begin and confirm the set-up. */
  action: string;
  hidden: Readonly<Record<string, string>>;
  begin: () => Promise<Answer<TotpSetupState>>;
  /** @returns null if another page or view opens */
  confirm: (code: string) => Promise<CallFailure | null>;
}

interface Props extends TotpActions {
  setup: TotpSetupState | undefined;
  error: FaultCode | null;
  retryAfterSeconds: number | undefined;
  /** Shown next to the button of the form. */
  secondaryAction: ReactNode;
}

export function TotpSteps({ setup: initialSetup, error, retryAfterSeconds, secondaryAction, ...actions }: Props) {
  const { fault, report, clear } = useFault(error, { retryAfterSeconds });
  const [setup, setSetup] = useState(initialSetup);
  const begin = async () => {
    const answer = await actions.begin();
    if (answer.kind === 'failed') return report(answer);
    clear();
    setSetup(answer.body);
  };
  useOnce(() => {
    if (!setup && !error) void begin();
  });
  const confirm = async (code: string) => {
    const failure = await actions.confirm(code);
    if (failure) report(failure);
    return failure ? 'stays' : 'leaves';
  };
  if (fault && !setup) {
    return (
      <>
        <FaultAlert fault={fault} />
        <BeginAgain
          {...actions}
          begin={begin}
          secondaryAction={secondaryAction}
          isOver={fault.code === 'totp already registered'}
        />
      </>
    );
  }
  return (
    <ol className="steps">
      <OpenAndScan {...actions} setup={setup} />
      <Confirm {...actions} confirm={confirm} secondaryAction={secondaryAction} disabled={!setup} fault={fault} />
    </ol>
  );
}

type FormTarget = Pick<TotpActions, 'action' | 'hidden'>;

function OpenAndScan({ setup, action, hidden }: FormTarget & { setup: TotpSetupState | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <li>
        <h2>{t('factor.totp_open')}</h2>
        <p className="quiet-text">{t('factor.totp_open_text')}</p>
      </li>
      <li>
        <h2>{t('factor.totp_scan')}</h2>
        {setup ? <QrCode setup={setup} /> : <PendingSecret action={action} hidden={hidden} />}
      </li>
    </>
  );
}

interface ConfirmProps extends FormTarget {
  confirm: (code: string) => Promise<'stays' | 'leaves'>;
  secondaryAction: ReactNode;
  disabled: boolean;
  fault: Fault | null;
}

function Confirm({ action, hidden, confirm, secondaryAction, disabled, fault }: ConfirmProps) {
  const { t } = useTranslation();
  return (
    <li>
      <h2>{t('factor.totp_confirm')}</h2>
      <Form className="stack" action={action} hidden={hidden} send={(fields) => confirm(toDigits(fields[FIELDS.code]))}>
        <CodeField fault={fault} hint={t('factor.code_hint')} disabled={disabled} />
        <div className="actions">
          <SubmitButton primary disabled={disabled} label={t('factor.activate')} busyLabel={t('factor.checking')} />
          {secondaryAction}
        </div>
      </Form>
    </li>
  );
}

function PendingSecret({ action, hidden }: FormTarget) {
  const { t } = useTranslation();
  return (
    <>
      <p className="qr-wait needs-script" role="status">
        <span className="spinner" /> {t('factor.totp_loading')}
      </p>
      <Form className="without-script" action={action} hidden={hidden}>
        <SubmitButton className="compact" label={t('factor.totp_show')} busyLabel={t('factor.totp_show')} />
      </Form>
    </>
  );
}

interface BeginAgainProps extends FormTarget {
  begin: () => Promise<void>;
  secondaryAction: ReactNode;
  /** True if the set-up cannot be started again. */
  isOver: boolean;
}

/** Shown instead of the steps if the secret could not be loaded. */
function BeginAgain({ action, hidden, begin, secondaryAction, isOver }: BeginAgainProps) {
  const { t } = useTranslation();
  if (isOver) return <div className="actions">{secondaryAction}</div>;
  const send = async () => {
    await begin();
    return 'stays' as const;
  };
  return (
    <Form className="actions" action={action} hidden={hidden} send={send}>
      <SubmitButton primary label={t('app.try_again')} busyLabel={t('app.one_moment')} />
      {secondaryAction}
    </Form>
  );
}
