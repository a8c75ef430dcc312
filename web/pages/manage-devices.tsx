/** The browsers in which the person is signed in, and the trusted browsers, with plain forms that sign them out or end the trust. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { DeviceState } from '../../src/contract/manage-state.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { phrase } from '../i18n/phrase.js';
import { QuestionButton } from '../ui/account/question-button.js';
import { BrowserIcon, PhoneIcon } from '../ui/account/icons.js';
import { LastChange } from '../ui/account/last-change.js';
import { BACK_TO_SETTINGS, toHiddenFields } from '../ui/account/manage-frame.js';
import { Moment } from '../ui/account/moment.js';
import { Panel } from '../ui/account/panel.js';
import { findProofPhrases } from '../ui/account/proof-phrases.js';
import { RowAction } from '../ui/account/row-action.js';
import { TrustedBrowsers } from '../ui/account/trusted-browsers.js';
import { Heading } from '../ui/heading.js';

export const heading = (_: PageOf<'manage_devices'>) => phrase('manage_devices.heading');

export function Page({ state }: { state: PageOf<'manage_devices'> }) {
  const { t } = useTranslation();
  const { devices, trusted_browsers: trustedBrowsers } = state.manage_devices;
  return (
    <div className="flow">
      <Heading heading={heading(state)} backLink={BACK_TO_SETTINGS}>
        <p>{t('manage_devices.text')}</p>
      </Heading>
      <LastChange frame={state} />
      <div>
        <Panel heading="manage_devices.list" footer={<OtherDevices state={state} />}>
          {devices.map((device) => (
            <Device key={device.id} state={state} device={device} />
          ))}
        </Panel>
        {trustedBrowsers && <TrustedBrowsers frame={state} browsers={trustedBrowsers} action={PATHS.manageDeviceTrust} />}
      </div>
    </div>
  );
}

/** Offers to sign out all other devices, if there are any, and explains what to do about an unfamiliar device. */
function OtherDevices({ state }: { state: PageOf<'manage_devices'> }) {
  const { t } = useTranslation();
  const isAlone = state.manage_devices.devices.every((device) => device.is_this);
  const hasEnded = ['device-ended', 'devices-ended'].includes(state.last_change?.status ?? '');
  return (
    <>
      {isAlone ? (
        <p className="quiet-text small">{t('manage_devices.alone')}</p>
      ) : (
        <QuestionButton
          action={PATHS.manageDevices}
          hidden={toHiddenFields(state)}
          label={t('manage_devices.end_others')}
          question={t('manage_devices.end_others_question')}
          submitLabel="manage_devices.end_others_now"
        />
      )}
      {(hasEnded || !isAlone) && (
        <p className="quiet-text small">
          <MarkedPhrase
            i18nKey={hasEnded ? 'manage_devices.unknown_ended' : 'manage_devices.unknown'}
            components={{ password: <a href={PATHS.managePassword} /> }}
          />
        </p>
      )}
      <p className="quiet-text small">{t('manage_devices.apps')}</p>
    </>
  );
}

function Device({ state, device }: { state: PageOf<'manage_devices'>; device: DeviceState }) {
  const { t } = useTranslation();
  const name = device.name ?? t('manage_devices.browser');
  const proofs = findProofPhrases(device.amr).map((proof) => t(proof));
  return (
    <li className="row">
      <span className="tile">{/(?:Android|iOS)$/.test(name) ? <PhoneIcon /> : <BrowserIcon />}</span>
      <span className="what">
        <b>
          {name} {device.is_this && <span className="tag success">{t('manage_devices.this')}</span>}
        </b>
        <small>
          <MarkedPhrase i18nKey="manage_devices.used" components={{ time: <Moment iso={device.last_used_at} /> }} />
        </small>
        <small>
          <MarkedPhrase i18nKey="manage_devices.signed_in" components={{ time: <Moment iso={device.signed_in_at} /> }} />
        </small>
        {proofs.length > 0 && <small>{proofs.join(' + ')}</small>}
        {device.address && <small>{t('manage_devices.from', { address: device.address })}</small>}
      </span>
      {!device.is_this && (
        <RowAction
          action={PATHS.manageDevices}
          hidden={{ ...toHiddenFields(state), [FIELDS.key]: device.id }}
          label={t('manage_devices.end')}
          name={t('manage_devices.end_name', { name })}
        />
      )}
    </li>
  );
}
