/** Enrols the first factor during a sign-in (MFV-2), with the RPC calls of the account area or with plain forms. */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FACTOR_CALLS, FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import type { FactorAddedAnswer } from '../../src/contract/rpc.js';
import type { ViewProps } from '../factors/factor.js';
import type { EnrollableFactor } from '../factors/registry.js';
import { toFaultCode, toHiddenFields, Step, buildViewUrl } from '../factors/step.js';
import { RpcClient } from '../browser/calls/rpc-client.js';
import { useSubmitSoon } from '../browser/timing.js';
import { phrase } from '../i18n/phrase.js';
import { RecoveryCodes } from '../ui/account/recovery-codes.js';
import { Form, SubmitButton } from '../ui/form.js';
import { buildWindowTitle } from '../ui/window-title.js';

/**
 * Creates the RPC client of the enrolment. After an error that the form cannot show, the step is loaded again and shows how the sign-in
 * can continue.
 */
function useEnrolment({ mfa }: Pick<ViewProps, 'mfa'>) {
  const [result, setResult] = useState<FactorAddedAnswer | null>(null);
  const [calls] = useState(() => {
    const isInline = (code: string) => !['unauthorized', 'page_not_found', 'proof required', 'forbidden'].includes(code);
    return new RpcClient(mfa.enrol_token ?? '', (code) => (isInline(code) ? null : buildViewUrl(mfa)));
  });
  return { calls, result, setResult };
}

/** @param factor the kind of factor to set up */
export function Enrol({ factor: { name, setUp }, ...props }: ViewProps & { factor: EnrollableFactor }) {
  const { t } = useTranslation();
  const { heading, mfa } = props;
  const { calls, result, setResult } = useEnrolment(props);
  if (result) return <EnrolResult {...props} result={result} />;
  const confirm = async (body: object) => {
    const answer = await calls.post<FactorAddedAnswer>(FACTOR_CALLS.verify(name), body);
    if (answer.kind === 'failed') return answer;
    setResult(answer.body);
    return null;
  };
  return (
    <div className="flow">
      <Step heading={heading} mfa={mfa}>
        {setUp.text && <p>{t(setUp.text)}</p>}
      </Step>
      <setUp.View
        setup={mfa.setup}
        error={toFaultCode(mfa)}
        retryAfterSeconds={mfa.retry_after}
        action={FACTOR_PATHS.enrol(name)}
        hidden={toHiddenFields(mfa)}
        calls={calls}
        begin={() => calls.post<object>(FACTOR_CALLS.init(name))}
        confirm={confirm}
        replaces={undefined}
        otherLink={<OtherFactor {...props} />}
        linkWithoutScript={null}
      />
    </div>
  );
}

function OtherFactor({ mfa }: ViewProps) {
  const { t } = useTranslation();
  return (
    <a className="btn quiet" href={buildViewUrl(mfa)}>
      {t('mfa.other_factor')}
    </a>
  );
}

function EnrolResult({ result, ...props }: ViewProps & { result: FactorAddedAnswer }) {
  const codes = result.recovery_codes ?? [];
  const heading = phrase(codes.length > 0 ? 'factor.codes_heading' : 'mfa.enrolled');
  return <CodesView {...props} heading={heading} codes={codes} token={result.token ?? ''} live />;
}

interface CodesProps extends ViewProps {
  codes: readonly string[];
  /** Proves to the server that the factor was enrolled. */
  token: string;
  /** True if the codes come from an RPC call, so that this view replaces another one. */
  live?: boolean;
}

/** Shows the recovery codes after an enrolment. If there are none, the form is submitted automatically (MFV-5). */
export function CodesView({ heading, mfa, app, codes, token, live = false }: CodesProps) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  useSubmitSoon(form, codes.length === 0 ? token : null);
  // One of the codes proves to the server that the person has seen them.
  const hidden = toHiddenFields(mfa, { [FIELDS.mfaToken]: token, [FIELDS.code]: codes[0] ?? '' });
  return (
    <Form className="flow" form={form} action={PATHS.mfaVerify} hidden={hidden}>
      <Step heading={heading} mfa={mfa} newTitle={live ? buildWindowTitle(t(...heading), app.name) : null}>
        {codes.length > 0 && <p>{t('factor.codes_text')}</p>}
      </Step>
      {codes.length > 0 && <RecoveryCodes codes={codes} appName={app.name} />}
      <SubmitButton primary label={t(codes.length > 0 ? 'factor.codes_kept' : 'mfa.go_on')} busyLabel={t('app.one_moment')} />
    </Form>
  );
}
