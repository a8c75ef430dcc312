/** Verification with a security key; the proof is submitted as with a code (MFV-5). */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import { MfaCalls } from '../browser/calls/mfa-calls.js';
import { getAssertion } from '../browser/calls/security-key.js';
import { useSubmitSoon } from '../browser/timing.js';
import { KeyStep } from '../ui/account/key-step.js';
import { Form } from '../ui/form.js';
import { faultOf, hiddenFields, OtherWays, Step, viewUrl } from './mfa-verification-frame.js';
import type { ViewProps } from './mfa-verification-frame.js';

export function KeyView({ heading, mfa }: ViewProps) {
  const { t } = useTranslation();
  const [proof, setProof] = useState<string | null>(null);
  const [calls] = useState(() => new MfaCalls(mfa, viewUrl(mfa, { method: 'fido2' })));
  const form = useRef<HTMLFormElement>(null);
  useSubmitSoon(form, proof);
  const ask = async () => {
    const options = await calls.initFido2();
    if (options.kind === 'failed') return options;
    const key = await getAssertion(options.body.publicKey);
    if (key.kind === 'failed') return key;
    const answer = await calls.verifyFido2(key.credential);
    if (answer.kind === 'failed') return answer;
    setProof(answer.body.token);
    return null;
  };
  const hasOther = mfa.totp_registered || mfa.recovery_codes_left;
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
      <KeyStep
        ask={ask}
        error={faultOf(mfa)}
        withoutScript={t(hasOther ? 'mfa.key_instead' : 'mfa.key_only')}
        abort={
          mfa.cancel_url && (
            <a className="btn quiet" href={mfa.cancel_url}>
              {t('factor.abort')}
            </a>
          )
        }
        others={hasOther && <OtherWays mfa={mfa} but="fido2" />}
      />
    </Form>
  );
}
