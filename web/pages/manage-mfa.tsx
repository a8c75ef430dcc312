/** The second factors: enrol, rename, replace, remove (MAN-3). */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { FACTORS, isEnrollable } from '../factors/registry.js';
import type { EnrollableFactor } from '../factors/registry.js';
import { phrase } from '../i18n/phrase.js';
import type { MessageKey } from '../i18n/phrase.js';
import { LockedUntil } from '../ui/account/locked-until.js';
import { BACK_TO_SETTINGS, hiddenOf } from '../ui/account/manage-frame.js';
import { FaultAlert, useFault } from '../ui/account/fault.js';
import { CodesIcon } from '../ui/account/icons.js';
import { GoIcon } from '../ui/icons.js';
import { Heading } from '../ui/heading.js';
import { LastChange } from '../ui/account/last-change.js';
import { PasskeySignals } from '../ui/account/passkey-signals.js';
import { EntryName } from './manage-mfa-name.js';
import { FactorRow } from './manage-mfa-row.js';
import { TrustedBrowsers } from './manage-mfa-trusted.js';

export const heading = (_: PageOf<'manage_mfa'>) => phrase('settings.two_factor');

export function Page({ state }: { state: PageOf<'manage_mfa'> }) {
  const { t } = useTranslation();
  const { fault } = useFault(state.manage_mfa.error);
  const { recovery_codes: codes, trusted_browsers: trusted } = state.manage_mfa;
  return (
    <div className="flow">
      <Heading heading={heading(state)} back={BACK_TO_SETTINGS}>
        <p>{t('manage_mfa.text')}</p>
      </Heading>
      <LastChange frame={state} />
      <PasskeySignals passkeys={state.manage_mfa.passkeys} />
      <FaultAlert fault={fault} />
      <div>
        {FACTORS.filter(isEnrollable)
          .filter(({ name }) => state.manage_mfa.factors.some((factor) => factor.name === name))
          .map((factor) => (
            <FactorPanel key={factor.name} state={state} factor={factor} />
          ))}
        {trusted && <TrustedBrowsers state={state} browsers={trusted} />}
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

function FactorPanel({ state, factor }: { state: PageOf<'manage_mfa'>; factor: EnrollableFactor }) {
  const { t } = useTranslation();
  const { name, Icon } = factor;
  const { overview } = factor.setUp;
  const { last_stays: stays = false, frozen_until: frozenUntil, factors } = state.manage_mfa;
  const { offered, entries } = factors.find((one) => one.name === name) ?? { offered: false, entries: [] };
  // If there are several, one can be removed and another one added.
  const replaceAt = offered && entries.length === 1 && factor.setUp.replaceHeading ? FACTOR_PATHS.replace(name) : undefined;
  const another = frozenUntil === undefined && offered && entries.length > 0 && overview.activateAnother;
  const below = another && <ActivateAnother name={name} label={another} />;
  const note = entries.length > 0 && overview.note && <p className="quiet-text small">{t(overview.note)}</p>;
  return (
    <Panel
      id={name}
      heading={overview.heading}
      below={
        <>
          {note}
          {below && <p>{below}</p>}
        </>
      }
    >
      {entries.length === 0 && <NotSetUp factor={factor} frozenUntil={frozenUntil} />}
      {entries.map((entry) => {
        const shown = entry.name ? entry.name : t(overview.name);
        const hidden = { ...hiddenOf(state), ...(entry.id === undefined ? {} : { [FIELDS.key]: entry.id }) };
        return (
          <FactorRow
            key={entry.id ?? name}
            Icon={Icon}
            name={shown}
            title={entry.id === undefined ? undefined : shown}
            dates={entry}
            synced={entry.synced}
            action={FACTOR_PATHS.remove(name)}
            hidden={hidden}
            replaceAt={replaceAt}
            stays={stays}
            frozenUntil={frozenUntil}
          >
            {entry.id !== undefined && (
              <EntryName id={entry.id} action={FACTOR_PATHS.rename(name)} name={shown} given={entry.name ?? ''} hidden={hidden} />
            )}
          </FactorRow>
        );
      })}
    </Panel>
  );
}

function ActivateAnother({ name, label }: { name: string; label: MessageKey }) {
  const { t } = useTranslation();
  return (
    <a className="btn compact" href={FACTOR_PATHS.register(name)}>
      {t(label)}
    </a>
  );
}

interface NotSetUpProps {
  factor: EnrollableFactor;
  frozenUntil: string | undefined;
}

function NotSetUp({ factor: { name, Icon, setUp }, frozenUntil }: NotSetUpProps) {
  const { t } = useTranslation();
  return (
    <li className="row">
      <Icon />
      <span className="what">
        <b>{t('manage_mfa.not_set_up')}</b>
        <small>{t(setUp.overview.about)}</small>
        {frozenUntil !== undefined && <LockedUntil moment={frozenUntil} />}
      </span>
      {frozenUntil === undefined && (
        <div className="row-actions">
          <a className="btn compact" href={FACTOR_PATHS.register(name)} aria-label={t(setUp.overview.activate)}>
            {t('factor.activate')}
          </a>
        </div>
      )}
    </li>
  );
}

interface PanelProps {
  /** The overview leads to it. */
  id?: string;
  heading: MessageKey;
  below?: ReactNode;
  children: ReactNode;
}

function Panel({ id, heading, below, children }: PanelProps) {
  const { t } = useTranslation();
  return (
    <section className="panel" id={id}>
      <h2>{t(heading)}</h2>
      <div>
        <ul className="rows">{children}</ul>
        {below}
      </div>
    </section>
  );
}
