/** The result of a device request: the device continues with the access, or nothing was granted. */
import { useTranslation } from 'react-i18next';
import type { DeviceEndState } from '../../src/contract/device-state.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { Isolated } from '../i18n/isolated.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { Heading, type Outcome } from '../ui/heading.js';
import { DangerIcon, InfoIcon, SuccessIcon } from '../ui/icons.js';

type Status = DeviceEndState['status'];

const RESULTS: Record<Status, { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  success: {
    outcome: { tone: 'success', Icon: SuccessIcon },
    heading: 'device_end.success',
    text: 'device_end.success_text',
  },
  denied: { outcome: { Icon: InfoIcon }, heading: 'device_end.denied', text: 'device_end.denied_text' },
  unmet: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'device_end.unmet', text: 'device_end.unmet_text' },
  failed: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'device_end.failed', text: 'device_end.failed_text' },
};

export const heading = ({ device_end: { status } }: PageOf<'device_end'>) => phrase(RESULTS[status].heading);

export function Page({ state }: { state: PageOf<'device_end'> }) {
  const { t } = useTranslation();
  const { status, client } = state.device_end;
  const { outcome, text } = RESULTS[status];
  const isSuccess = status === 'success';
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={outcome}>
        {isSuccess && client?.name && (
          <p>
            <MarkedPhrase i18nKey="device_end.success_client" components={{ client: <Isolated text={client.name} /> }} />
          </p>
        )}
        <p>{t(text)}</p>
        {!isSuccess && <p>{t('device_end.waits')}</p>}
      </Heading>
      {!isSuccess && status !== 'denied' && (
        <a className="btn primary" href={PATHS.device}>
          {t('challenge.enter_code')}
        </a>
      )}
    </div>
  );
}
