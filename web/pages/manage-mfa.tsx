/**
 * Lists the passkeys and second factors, with actions to enrol, rename, replace and remove them (MAN-3). Below are the trusted browsers
 * and the row of the recovery codes.
 */
import { useTranslation } from 'react-i18next';
import { FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { FACTORS, isEnrollable, type EnrollableFactor } from '../factors/registry.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { LockedUntil } from '../ui/account/locked-until.js';
import { BACK_TO_SETTINGS, toHiddenFields } from '../ui/account/manage-frame.js';
import { FaultAlert, useFault } from '../ui/account/fault.js';
import { CodesIcon } from '../ui/account/icons.js';
import { Heading } from '../ui/heading.js';
import { LastChange } from '../ui/account/last-change.js';
import { Panel } from '../ui/account/panel.js';
import { PasskeySignals } from '../ui/account/passkey-signals.js';
import { SettingsRow } from '../ui/account/settings-row.js';
import { TrustedBrowsers } from '../ui/account/trusted-browsers.js';
import { NameForm } from './manage-mfa-name.js';
import { FactorRow } from './manage-mfa-row.js';

export const heading = (state: PageOf<'manage_mfa'>) =>
  phrase(listShownFactors(state).some(replacesPassword) ? 'manage_mfa.heading_passkeys' : 'settings.two_factor');

export function Page({ state }: { state: PageOf<'manage_mfa'> }) {
  const { t } = useTranslation();
  const { fault } = useFault(state.manage_mfa.error);
  const shownFactors = listShownFactors(state);
  const { recovery_codes: codes, trusted_browsers: trustedBrowsers } = state.manage_mfa;
  return (
    <div className="flow">
      <Heading heading={heading(state)} backLink={BACK_TO_SETTINGS}>
        <p>{t(shownFactors.some(replacesPassword) ? 'manage_mfa.text_passkeys' : 'manage_mfa.text')}</p>
      </Heading>
      <LastChange frame={state} />
      <PasskeySignals passkeys={state.manage_mfa.passkeys} />
      <FaultAlert fault={fault} />
      <div>
        {shownFactors.map((factor) => (
          <FactorPanel key={factor.name} state={state} factor={factor} />
        ))}
        {trustedBrowsers && <TrustedBrowsers frame={state} browsers={trustedBrowsers} action={PATHS.manageTrustedBrowsers} />}
        {codes && (
          <Panel heading="manage_mfa.codes">
            <SettingsRow
              Icon={CodesIcon}
              href={PATHS.manageRecoveryCodes}
              title="factor.codes"
              value={codes.unseen ? t('factor.codes_unseen') : t('settings.codes_left', { count: codes.left })}
              warns={codes.unseen === true}
              frozenUntil={state.manage_mfa.frozen_until}
            />
          </Panel>
        )}
      </div>
    </div>
  );
}

/** @returns the kinds of factor to show. As in the settings, kinds that replace the password are first. */
function listShownFactors({ manage_mfa: { factors } }: PageOf<'manage_mfa'>): EnrollableFactor[] {
  const shownFactors = FACTORS.filter(isEnrollable).filter(({ name }) => factors.some((factor) => factor.name === name));
  return [...shownFactors.filter(replacesPassword), ...shownFactors.filter((factor) => !replacesPassword(factor))];
}

const replacesPassword = ({ setUp }: EnrollableFactor) => setUp.replacesPassword === true;

function FactorPanel({ state, factor }: { state: PageOf<'manage_mfa'>; factor: EnrollableFactor }) {
  const { t } = useTranslation();
  const { name, Icon } = factor;
  const { overview } = factor.setUp;
  const { last_stays: stays = false, frozen_until: frozenUntil, factors } = state.manage_mfa;
  const { offered, entries } = factors.find((kind) => kind.name === name) ?? { offered: false, entries: [] };
  // Only a single factor has a link to replace it. If there are several, the person can remove one and add another.
  const replaceAt = offered && entries.length === 1 && factor.setUp.replaceHeading ? FACTOR_PATHS.replace(name) : undefined;
  const anotherLabel = frozenUntil === undefined && offered && entries.length > 0 && overview.activateAnother;
  const addLink = anotherLabel && <AddLink name={name} label={anotherLabel} />;
  const note = entries.length > 0 && overview.note && <p className="quiet-text small">{t(overview.note)}</p>;
  return (
    <Panel
      id={name}
      heading={overview.heading}
      footer={
        <>
          {note}
          {addLink && <p>{addLink}</p>}
        </>
      }
    >
      {entries.length === 0 && <MissingFactor factor={factor} frozenUntil={frozenUntil} />}
      {entries.map((entry) => {
        const title = entry.name ? entry.name : t(overview.name);
        const hidden = { ...toHiddenFields(state), ...(entry.id === undefined ? {} : { [FIELDS.key]: entry.id }) };
        return (
          <FactorRow
            key={entry.id ?? name}
            Icon={Icon}
            name={title}
            title={entry.id === undefined ? undefined : title}
            dates={entry}
            synced={entry.synced}
            action={FACTOR_PATHS.remove(name)}
            hidden={hidden}
            replaceAt={replaceAt}
            stays={stays}
            frozenUntil={frozenUntil}
          >
            {entry.id !== undefined && (
              <NameForm id={entry.id} action={FACTOR_PATHS.rename(name)} name={title} alias={entry.name ?? ''} hidden={hidden} />
            )}
          </FactorRow>
        );
      })}
    </Panel>
  );
}

function AddLink({ name, label }: { name: string; label: MessageKey }) {
  const { t } = useTranslation();
  return (
    <a className="btn compact" href={FACTOR_PATHS.register(name)}>
      {t(label)}
    </a>
  );
}

interface MissingFactorProps {
  factor: EnrollableFactor;
  frozenUntil: string | undefined;
}

function MissingFactor({ factor: { name, Icon, setUp }, frozenUntil }: MissingFactorProps) {
  const { t } = useTranslation();
  return (
    <li className="row">
      <span className="tile">
        <Icon />
      </span>
      <span className="what">
        <b>{t('manage_mfa.not_set_up')}</b>
        <small>{t(setUp.overview.description)}</small>
        {frozenUntil !== undefined && <LockedUntil moment={frozenUntil} />}
      </span>
      {frozenUntil === undefined && (
        <div className="row-actions beside">
          <a className="btn compact" href={FACTOR_PATHS.register(name)} aria-label={t(setUp.overview.activate)}>
            {t('factor.activate')}
          </a>
        </div>
      )}
    </li>
  );
}
