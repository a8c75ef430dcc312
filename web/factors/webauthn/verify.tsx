/** Verification with a security key; the proof is submitted like a code (MFV-5). */
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
import { faultOf, hiddenFields, Step, TrustBox, viewUrl } from '../step.js';
import { KeyStep } from './key-step.js';

export function VerifyKey({ heading, mfa, others }: VerifyProps) {
  const { t } = useTranslation();
  const [proof, setProof] = useState<string | null>(null);
  const [calls] = useState(() => new MfaCalls(mfa, viewUrl(mfa, { method: 'fido2' })));
  const form = useRef<HTMLFormElement>(null);
  useSubmitSoon(form, proof);
  const ask = async () => {
    const options = await calls.init<AssertionOptionsAnswer>('fido2');
    if (options.kind === 'failed') return options;
    const key = await getAssertion(options.body.publicKey);
    if (key.kind === 'failed') return key;
    const answer = await calls.verify('fido2', key.credential);
    if (answer.kind === 'failed') return answer;
    setProof(answer.body.token);
    return null;
  };
  return (
    <Form
      className="flow"
      form={form}
      action={PATHS.mfaVerify}
      hidden={hiddenFields(mfa, proof ? { [FIELDS.mfaToken]: proof } : {})}
    >
      <Step heading={heading} mfa={mfa}>
        <p>{t('factor.key_text')}</p>
      </Step>
      <TrustBox mfa={mfa} look="needs-script" />
      <KeyStep
        ask={ask}
        error={faultOf(mfa)}
        withoutScript={t(others ? 'mfa.key_instead' : 'mfa.key_only')}
        abort={
          mfa.cancel_url && (
            <a className="btn quiet" href={mfa.cancel_url}>
              {t('settings.cancel')}
            </a>
          )
        }
        others={others}
      />
    </Form>
  );
}
