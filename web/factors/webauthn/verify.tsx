/** Verifies a security key or a passkey in the second step of a sign-in. As with a code, the form is submitted automatically (MFV-5). */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { AssertionOptionsAnswer } from '../../../src/contract/rpc.js';
import { PATHS } from '../../../src/contract/paths.js';
import { MfaCalls } from '../../browser/calls/mfa-calls.js';
import { getAssertion } from '../../browser/calls/security-key.js';
import { useSubmitSoon } from '../../browser/timing.js';
import { Form } from '../../ui/form.js';
import type { VerifyProps } from '../factor.js';
import { toFaultCode, toHiddenFields, buildLimitWords, Step, TrustBox, buildViewUrl } from '../step.js';
import { KeyStep, type CredentialKind } from './key-step.js';

export function VerifyCredential({ heading, mfa, otherLinks, kind }: VerifyProps & { kind: CredentialKind }) {
  const { t } = useTranslation();
  const [factorToken, setFactorToken] = useState<string | null>(null);
  const [calls] = useState(() => new MfaCalls(mfa, buildViewUrl(mfa, { method: kind.factor })));
  const form = useRef<HTMLFormElement>(null);
  useSubmitSoon(form, factorToken);
  const ask = async () => {
    const options = await calls.init<AssertionOptionsAnswer>(kind.factor);
    if (options.kind === 'failed') return options;
    const key = await getAssertion(options.body.publicKey);
    if (key.kind === 'failed') return key;
    const answer = await calls.verify(kind.factor, key.credential);
    if (answer.kind === 'failed') return answer;
    setFactorToken(answer.body.token);
    return null;
  };
  return (
    <Form
      className="flow"
      form={form}
      action={PATHS.mfaVerify}
      hidden={toHiddenFields(mfa, factorToken ? { [FIELDS.mfaToken]: factorToken } : {})}
    >
      <Step heading={heading} mfa={mfa}>
        <p>{t(kind.text)}</p>
      </Step>
      <TrustBox mfa={mfa} className="needs-script" />
      <KeyStep
        kind={kind}
        ask={ask}
        error={toFaultCode(mfa)}
        words={buildLimitWords(otherLinks)}
        scriptAdvice={t(otherLinks ? 'mfa.key_instead' : 'mfa.key_only')}
        cancelLink={
          mfa.cancel_url && (
            <a className="btn quiet" href={mfa.cancel_url}>
              {t('settings.cancel')}
            </a>
          )
        }
        otherLinks={otherLinks}
      />
    </Form>
  );
}
