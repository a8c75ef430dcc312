/** Enrolment of the first factor during the login (MFV-2), by the RPC calls of the account area or by plain forms. */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { TotpSetupState } from '../../src/contract/mfa-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { FactorAddedAnswer } from '../../src/contract/rpc.js';
import { RpcClient } from '../browser/calls/rpc-client.js';
import { registerKey } from '../browser/calls/register-key.js';
import { useSubmitSoon } from '../browser/timing.js';
import { phrase } from '../i18n/phrase.js';
import { KeyStep } from '../ui/account/key-step.js';
import { RecoveryCodes } from '../ui/account/recovery-codes.js';
import { TotpSteps } from '../ui/account/totp-steps.js';
import { Form, SubmitButton } from '../ui/form.js';
import { windowTitle } from '../ui/window-title.js';
import { faultOf, hiddenFields, Step, viewUrl } from './mfa-verification-frame.js';
import type { ViewProps } from './mfa-verification-frame.js';

/** For other errors the step is opened again, which shows them. */
function useEnrolment({ mfa }: Pick<ViewProps, 'mfa'>) {
  const [added, setAdded] = useState<FactorAddedAnswer | null>(null);
  const [calls] = useState(() => {
    const inline = (code: string) => !['unauthorized', 'page_not_found', 'proof required', 'forbidden'].includes(code);
    return new RpcClient(mfa.enrol_token ?? '', (code) => (inline(code) ? null : viewUrl(mfa)));
  });
  return { calls, added, setAdded };
}

export function EnrolTotp(props: ViewProps) {
  const { heading, mfa } = props;
  const { calls, added, setAdded } = useEnrolment(props);
  if (added) return <Enrolled {...props} added={added} />;
  return (
    <div className="flow">
      <Step heading={heading} mfa={mfa} />
      <TotpSteps
        setup={mfa.setup}
        error={faultOf(mfa)}
        action={PATHS.mfaEnrolTotp}
        hidden={hiddenFields(mfa)}
        begin={() => calls.post<TotpSetupState>('/mfa-init-totp')}
        confirm={async (code) => {
          const answer = await calls.post<FactorAddedAnswer>('/mfa-verify-totp', { code });
          if (answer.kind === 'failed') return answer;
          setAdded(answer.body);
          return null;
        }}
        abort={<OtherFactor {...props} />}
      />
    </div>
  );
}

export function EnrolKey(props: ViewProps) {
  const { t } = useTranslation();
  const { heading, mfa } = props;
  const { calls, added, setAdded } = useEnrolment(props);
  if (added) return <Enrolled {...props} added={added} />;
  const ask = async () => {
    const answer = await registerKey(calls);
    if (answer.kind === 'failed') return answer;
    setAdded(answer.body);
    return null;
  };
  return (
    <div className="flow">
      <Step heading={heading} mfa={mfa}>
        <p>{t('factor.key_text')}</p>
      </Step>
      <KeyStep
        ask={ask}
        error={faultOf(mfa)}
        withoutScript={t('mfa.key_enrol_instead')}
        abort={null}
        others={<OtherFactor {...props} />}
      />
    </div>
  );
}

function OtherFactor({ mfa }: ViewProps) {
  const { t } = useTranslation();
  return (
    <a className="btn quiet" href={viewUrl(mfa)}>
      {t('mfa.other_factor')}
    </a>
  );
}

function Enrolled({ added, ...props }: ViewProps & { added: FactorAddedAnswer }) {
  const codes = added.recovery_codes ?? [];
  const heading = phrase(codes.length > 0 ? 'factor.codes_heading' : 'mfa.enrolled');
  return <CodesView {...props} heading={heading} codes={codes} token={added.token ?? ''} live />;
}

interface CodesProps extends ViewProps {
  codes: readonly string[];
  /** The proof that comes from the enrolment. */
  token: string;
  /** They come from an RPC call. */
  live?: boolean;
}

/** Without codes to show, the form is submitted automatically (MFV-5). */
export function CodesView({ heading, mfa, app, codes, token, live = false }: CodesProps) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  useSubmitSoon(form, codes.length === 0 ? token : null);
  return (
    <Form className="flow" form={form} action={PATHS.mfaVerify} hidden={hiddenFields(mfa, { [FIELDS.mfaToken]: token })}>
      <Step heading={heading} mfa={mfa} newTitle={live ? windowTitle(t(...heading), app.name) : null}>
        {codes.length > 0 && <p>{t('factor.codes_text')}</p>}
      </Step>
      {codes.length > 0 && <RecoveryCodes codes={codes} appName={app.name} />}
      <SubmitButton primary label={t('mfa.go_on')} busyLabel={t('app.one_moment')} />
    </Form>
  );
}
