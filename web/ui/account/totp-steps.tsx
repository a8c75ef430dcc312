/**
 * Setting up an authenticator app in three steps. With script the secret comes by a call; without, a form asks for it and
 * the same page comes back with it. Where calls and forms go, the page around says.
 */
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { TotpSetupState } from '../../../src/contract/mfa-state.js';
import type { Answer, CallFailure } from '../../browser/calls/call.js';
import { useOnce } from '../../browser/once.js';
import { usePhrases } from '../../phrases/say.js';
import { Form, SubmitButton } from '../form.js';
import { CodeField, digitsOf } from './code-field.js';
import { alertFor, FaultAlert, useFault } from './fault.js';
import type { FaultCode } from './fault.js';
import { QrCode } from './qr-code.js';

export interface TotpActions {
  /** Of both forms: to begin and to confirm. */
  action: string;
  hidden: Readonly<Record<string, string>>;
  begin: () => Promise<Answer<TotpSetupState>>;
  /** @returns null when the page goes on by itself */
  confirm: (code: string) => Promise<CallFailure | null>;
}

interface Props extends TotpActions {
  setup: TotpSetupState | undefined;
  error: FaultCode | null;
  /** Beside the button that confirms. */
  abort: ReactNode;
}

export function TotpSteps({ setup: given, error, abort, ...actions }: Props) {
  const { text } = usePhrases();
  const { fault, tell } = useFault(error);
  const [setup, setSetup] = useState(given);
  useOnce(() => {
    if (!setup && !error)
      void actions.begin().then((answer) => (answer.kind === 'failed' ? tell(answer) : setSetup(answer.body)));
  });
  const confirm = async (code: string) => {
    const failure = await actions.confirm(code);
    if (failure) tell(failure);
    return failure ? 'stays' : 'leaves';
  };
  return (
    <>
      <FaultAlert fault={fault} />
      <ol className="steps">
        <li>
          <h2>{text('factor.totp_open')}</h2>
          <p className="quiet-text">{text('factor.totp_open_text')}</p>
        </li>
        <li>
          <h2>{text('factor.totp_scan')}</h2>
          {setup ? <QrCode setup={setup} /> : <SecretToCome {...actions} isComing={fault === null} />}
        </li>
        <li>
          <h2>{text('factor.totp_confirm')}</h2>
          <Form
            className="stack"
            action={actions.action}
            hidden={actions.hidden}
            send={(fields) => confirm(digitsOf(fields[FIELDS.code]))}
          >
            <CodeField
              alertId={alertFor(fault, ['invalid verification code'])}
              hint={text('factor.code_hint')}
              disabled={!setup}
            />
            <div className="actions">
              <SubmitButton primary disabled={!setup} label={text('factor.activate')} busyLabel={text('factor.checking')} />
              {abort}
            </div>
          </Form>
        </li>
      </ol>
    </>
  );
}

function SecretToCome({ action, hidden, isComing }: Pick<TotpActions, 'action' | 'hidden'> & { isComing: boolean }) {
  const { text } = usePhrases();
  return (
    <>
      {isComing && (
        <p className="qr-wait needs-script" role="status">
          <span className="spinner" /> {text('factor.totp_loading')}
        </p>
      )}
      <Form className="without-script" action={action} hidden={hidden}>
        <SubmitButton look="compact" label={text('factor.totp_show')} busyLabel={text('factor.totp_show')} />
      </Form>
    </>
  );
}
