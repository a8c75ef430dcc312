/** The second factors: enrol, rename, replace, remove (MAN-3). */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { ManageMfaPage } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../i18n/phrase.js';
import type { MessageKey } from '../i18n/phrase.js';
import { BACK_TO_SETTINGS, hiddenOf } from '../ui/account/manage-frame.js';
import { FaultAlert, useFault } from '../ui/account/fault.js';
import { CodesIcon, KeyIcon, PhoneIcon } from '../ui/account/icons.js';
import { GoIcon } from '../ui/icons.js';
import { Heading } from '../ui/heading.js';
import { KeyName } from './manage-mfa-name.js';
import { FactorRow } from './manage-mfa-row.js';

export const heading = (_: ManageMfaPage) => phrase('settings.two_factor');

export function Page({ state }: { state: ManageMfaPage }) {
  const { t } = useTranslation();
  const { fault } = useFault(state.manage_mfa.error);
  const { recovery_codes: codes } = state.manage_mfa;
  return (
    <div className="flow">
      <Heading heading={heading(state)} back={BACK_TO_SETTINGS}>
        <p>{t('manage_mfa.text')}</p>
      </Heading>
      <FaultAlert fault={fault} />
      <div>
        <TotpBoard state={state} />
        <KeyBoard state={state} />
        {codes && (
          <Panel heading="manage_mfa.codes">
            <li>
              <a className="row" href={PATHS.manageRecoveryCodes}>
                <CodesIcon />
                <span className="what">
                  <b>{t('factor.codes')}</b>
                  <small>{t('settings.codes_left', { count: codes.left })}</small>
                </span>
                <GoIcon />
              </a>
            </li>
          </Panel>
        )}
      </div>
    </div>
  );
}

function TotpBoard({ state }: { state: ManageMfaPage }) {
  const { t } = useTranslation();
  const { totp, last_stays: stays = false } = state.manage_mfa;
  if (!totp) {
    return (
      <Panel heading="manage_mfa.totp">
        <li>
          <div className="row wraps">
            <PhoneIcon />
            <span className="what">
              <b>{t('factor.totp')}</b>
              <small>{t('manage_mfa.not_set_up')}</small>
            </span>
            <a className="btn compact" href={PATHS.manageRegisterTotp} aria-label={t('manage_mfa.activate_totp')}>
              {t('factor.activate')}
            </a>
          </div>
        </li>
      </Panel>
    );
  }
  const name = t('factor.totp');
  return (
    <Panel heading="manage_mfa.totp">
      <FactorRow
        Icon={PhoneIcon}
        name={name}
        dates={totp}
        action={PATHS.manageRemoveTotp}
        hidden={hiddenOf(state)}
        replaceAt={PATHS.manageReplaceTotp}
        stays={stays}
      />
    </Panel>
  );
}

function KeyBoard({ state }: { state: ManageMfaPage }) {
  const { t } = useTranslation();
  const { keys, last_stays: stays = false } = state.manage_mfa;
  // If there are several, one can be removed and another one added.
  const replaceAt = keys.length === 1 ? PATHS.manageReplaceFido2 : undefined;
  const more = (
    <a className="btn compact" href={PATHS.manageRegisterFido2}>
      {t(keys.length > 0 ? 'manage_mfa.activate_another' : 'manage_mfa.activate_key')}
    </a>
  );
  return (
    <Panel heading="manage_mfa.keys" below={keys.length > 0 && <p>{more}</p>}>
      {keys.length === 0 && (
        <li>
          <div className="row wraps">
            <KeyIcon />
            <span className="what">
              <b>{t('factor.key')}</b>
              <small>{t('manage_mfa.not_set_up')}</small>
            </span>
            <a className="btn compact" href={PATHS.manageRegisterFido2} aria-label={t('manage_mfa.activate_key')}>
              {t('factor.activate')}
            </a>
          </div>
        </li>
      )}
      {keys.map((key) => {
        const name = key.name === '' ? t('factor.key') : key.name;
        const hidden = { ...hiddenOf(state), [FIELDS.key]: key.id };
        return (
          <FactorRow
            key={key.id}
            Icon={KeyIcon}
            name={name}
            dates={key}
            action={PATHS.manageRemoveFido2}
            hidden={hidden}
            replaceAt={replaceAt}
            stays={stays}
          >
            <KeyName id={key.id} name={name} given={key.name} hidden={hidden} />
          </FactorRow>
        );
      })}
    </Panel>
  );
}

function Panel({ heading, below, children }: { heading: MessageKey; below?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section className="panel">
      <h2>{t(heading)}</h2>
      <div>
        <ul className="rows">{children}</ul>
        {below}
      </div>
    </section>
  );
}
