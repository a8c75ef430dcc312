/**
 * Asks for the code that a device shows (RFC 8628, section 3.3). A code from the address is filled in, and the person compares it with
 * the code on the device.
 */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { DeviceCodeState } from '../../src/contract/device-state.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../i18n/phrase.js';
import { ALERT_ID, ErrorAlert } from '../ui/alert.js';
import { EnterCodeLink } from '../ui/challenge-fault.js';
import { Field, type FieldWiring } from '../ui/field.js';
import { Form, SubmitButton, useSubmission } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { Notice } from '../ui/notice.js';
import { Wait } from '../ui/wait.js';

export const heading = ({ device }: PageOf<'device'>) => phrase(device.prefilled ? 'device.heading_prefilled' : 'device.heading');

export function Page({ state }: { state: PageOf<'device'> }) {
  const { t } = useTranslation();
  const { device } = state;
  const { error, prefilled = false } = device;
  const hidden = { [FIELDS.deviceChallenge]: device.device_challenge, [FIELDS.xsrf]: device.xsrf_token };
  if (error === 'challenge') return <ChallengeView state={state} />;
  return (
    <Form className="flow" action={PATHS.device} hidden={hidden}>
      <Heading heading={heading(state)}>
        <p>{t(prefilled ? 'device.text_prefilled' : 'device.text')}</p>
      </Heading>
      <CodeAlert device={device} />
      <Field
        name={FIELDS.userCode}
        className="device-code"
        label={t('device.code')}
        hint={t('device.hint')}
        alertId={error === 'code' || error === 'empty' ? ALERT_ID : undefined}
        requiredMessage={t('device.empty')}
      >
        {(wiring) => <CodeInput wiring={wiring} device={device} />}
      </Field>
      <Notice tone="warning" message={t('device.warning')}>
        <p>{t('device.warning_text')}</p>
      </Notice>
      <SubmitButton primary label={t('device.submit')} busyLabel={t('app.one_moment')} />
    </Form>
  );
}

/** User codes are case-sensitive, so keyboards must not change the case. */
function CodeInput({ wiring, device: { error, prefilled, user_code: code } }: { wiring: FieldWiring; device: DeviceCodeState }) {
  const isSending = useSubmission() !== null;
  return (
    <input
      {...wiring}
      type="text"
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={200}
      autoFocus={error === 'code' || error === 'empty' || (error === null && !prefilled)}
      defaultValue={code}
      readOnly={isSending}
    />
  );
}

function CodeAlert({ device: { error, retry_after: seconds } }: { device: DeviceCodeState }) {
  const { t } = useTranslation();
  switch (error) {
    case 'code':
      return (
        <ErrorAlert code={error} message="device.wrong" aboutField>
          <p>{t('device.wrong_next')}</p>
        </ErrorAlert>
      );
    case 'empty':
      return <ErrorAlert code={error} message="device.empty" aboutField />;
    case 'limited':
      return (
        <ErrorAlert code={error} message="device.limited">
          <p>
            <Wait seconds={seconds} />
          </p>
        </ErrorAlert>
      );
    default:
      return null;
  }
}

function ChallengeView({ state }: { state: PageOf<'device'> }) {
  const { t } = useTranslation();
  const { challenge_fault: fault = 'missing', restart_url: url } = state.device;
  return (
    <div className="flow">
      <Heading heading={heading(state)} />
      <ErrorAlert code="challenge" message={fault === 'missing' ? 'device.missing' : `challenge.${fault}`}>
        {fault === 'no-cookies' && <p>{t('challenge.no-cookies-why')}</p>}
        <p>{t('challenge.from_code')}</p>
        {url && <EnterCodeLink url={url} />}
      </ErrorAlert>
    </div>
  );
}
