/** The settings in groups: the account, its sessions and apps, its credentials, and its data. */
import { useTranslation } from 'react-i18next';
import { ENOUGH_RECOVERY_CODES } from '../../src/contract/manage-protection.js';
import type { ManageState, ManageStatus } from '../../src/contract/manage-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { findEnrollable } from '../factors/registry.js';
import { Isolated } from '../i18n/isolated.js';
import { phrase } from '../i18n/phrase.js';
import { Address } from '../ui/account/address.js';
import { DOT, formatLongDate } from '../ui/account/dates.js';
import {
  AppIcon,
  BinIcon,
  BrowserIcon,
  CodesIcon,
  DownloadIcon,
  LockIcon,
  MailIcon,
  ShieldIcon,
  UserIcon,
} from '../ui/account/icons.js';
import { RecentMoment } from '../ui/account/moment.js';
import { Panel } from '../ui/account/panel.js';
import { ChangedPath, SettingsRow, Tile, type SettingsRowProps } from '../ui/account/settings-row.js';
import { ClockIcon } from '../ui/icons.js';
import { ProviderRow } from './manage-providers.js';

type Email = NonNullable<ManageState['email']>;

interface Props {
  manage: ManageState;
  hidden: Readonly<Record<string, string>>;
}

/** The path of the row that each change has affected. */
const CHANGED_PATHS: Partial<Record<ManageStatus, string>> = {
  'password-success': PATHS.managePassword,
  'username-success': PATHS.manageUsername,
  'email-success': PATHS.manageEmail,
  'mfa-success': PATHS.manageMfa,
  'mfa-removed': PATHS.manageMfa,
  'recovery-codes-success': PATHS.manageRecoveryCodes,
};

export function Panels({ manage, hidden }: Props) {
  return (
    <ChangedPath value={findChangedPath(manage)}>
      <div className="overview">
        <Account manage={manage} />
        <Access manage={manage} />
        <Credentials manage={manage} hidden={hidden} />
        <Data manage={manage} />
      </div>
    </ChangedPath>
  );
}

function findChangedPath({ status, status_factor: factor, ways_in: ways = [] }: ManageState): string | undefined {
  const path = status === null ? undefined : CHANGED_PATHS[status];
  // A factor that replaces the password has its own row.
  return path === PATHS.manageMfa && ways.some(({ name }) => name === factor) ? `${path}#${factor}` : path;
}

function Account({ manage }: { manage: ManageState }) {
  const { frozen_until: frozenUntil } = manage;
  if (manage.username_elsewhere) return null;
  return (
    <Panel heading="manage.account">
      <SettingsRow
        Icon={UserIcon}
        href={PATHS.manageUsername}
        title="manage.username"
        value={<Isolated text={manage.username} />}
        frozenUntil={frozenUntil}
      />
      {manage.email && <EmailRow email={manage.email} frozenUntil={frozenUntil} />}
    </Panel>
  );
}

function Credentials({ manage, hidden }: Props) {
  const { t } = useTranslation();
  const { providers, recovery_codes_left: codesLeft } = manage;
  const factors = toFactorPhrases(manage).map((factor) => t(...factor));
  return (
    <Panel heading="manage.credentials" footer={providers.length > 0 && <Providers manage={manage} hidden={hidden} />}>
      <PasswordRow manage={manage} />
      <PasswordReplacements manage={manage} />
      <SettingsRow
        Icon={ShieldIcon}
        href={PATHS.manageMfa}
        title="settings.two_factor"
        value={factors.join(DOT) || t('manage.factors_none')}
        warns={factors.length === 0 && !hasPasskey(manage)}
        tag={factors.length > 0 && <span className="tag success">{t('manage.active')}</span>}
      />
      {codesLeft !== undefined && (
        <SettingsRow
          Icon={CodesIcon}
          href={PATHS.manageRecoveryCodes}
          title="factor.codes"
          value={t('settings.codes_left', { count: codesLeft })}
          warns={codesLeft < ENOUGH_RECOVERY_CODES}
          frozenUntil={manage.frozen_until}
        />
      )}
    </Panel>
  );
}

function PasswordRow({ manage }: { manage: ManageState }) {
  const { t } = useTranslation();
  if (manage.password_elsewhere) return <PasswordElsewhere url={manage.password_elsewhere.url} />;
  return (
    <SettingsRow
      Icon={LockIcon}
      href={PATHS.managePassword}
      title="manage.password"
      value={manage.password_set ? <PasswordAge changedAt={manage.password_changed_at} /> : t('manage.password_none')}
      frozenUntil={manage.frozen_until}
    />
  );
}

function PasswordAge({ changedAt }: { changedAt: string | undefined }) {
  const { t } = useTranslation();
  if (changedAt === undefined) return t('manage.active');
  return t('manage.password_changed_on', { day: formatLongDate(changedAt, t('language.dates')) });
}

function Providers({ manage: { providers, frozen_until: frozenUntil }, hidden }: Props) {
  const { t } = useTranslation();
  return (
    <section>
      <h3>{t('manage.providers')}</h3>
      <ul className="rows">
        {providers.map((provider) => (
          <ProviderRow key={provider.id} provider={provider} hidden={hidden} frozenUntil={frozenUntil} />
        ))}
      </ul>
    </section>
  );
}

function EmailRow({ email: { address, verified }, frozenUntil }: { email: Email } & Pick<SettingsRowProps, 'frozenUntil'>) {
  const { t } = useTranslation();
  return (
    <SettingsRow
      Icon={MailIcon}
      href={PATHS.manageEmail}
      title="manage.email"
      value={address === null ? t('manage.email_none') : <Address address={address} />}
      frozenUntil={frozenUntil}
      tag={address !== null && !verified && <span className="tag warning">{t('manage.email_unverified')}</span>}
    />
  );
}

function Access({ manage }: { manage: ManageState }) {
  const { t } = useTranslation();
  const { features, device_count: devices, app_count: apps, last_session: lastSession, read_at: now } = manage;
  const appsText = apps === undefined ? t('manage.apps_text') : t('manage.apps_count', { count: apps });
  return (
    <Panel heading="manage.access">
      <SettingsRow
        Icon={BrowserIcon}
        href={PATHS.manageDevices}
        title="manage.devices"
        value={devices === undefined ? t('manage.devices_text') : t('manage.devices_count', { count: devices })}
      />
      <SettingsRow
        Icon={AppIcon}
        href={PATHS.manageApps}
        title="manage.apps"
        value={apps === 0 ? t('manage.apps_none') : appsText}
      />
      {features.includes('activity') && (
        <SettingsRow
          Icon={ClockIcon}
          href={PATHS.manageActivity}
          title="manage.activity"
          value={lastSession && now ? <LastSession session={lastSession} now={now} /> : t('manage.activity_text')}
        />
      )}
    </Panel>
  );
}

interface LastSessionProps {
  session: NonNullable<ManageState['last_session']>;
  now: string;
}

function LastSession({ session: { began_at: at, browser }, now }: LastSessionProps) {
  return (
    <>
      <RecentMoment iso={at} now={now} />
      {browser !== undefined && (
        <>
          {DOT}
          <bdi>{browser}</bdi>
        </>
      )}
    </>
  );
}

function Data({ manage: { features, frozen_until: frozenUntil, deletion_due_at: dueAt } }: { manage: ManageState }) {
  const { t } = useTranslation();
  if (!features.includes('data') && !features.includes('deletion')) return null;
  return (
    <Panel heading="manage.data">
      {features.includes('data') && (
        <SettingsRow
          Icon={DownloadIcon}
          href={PATHS.manageData}
          title="manage.data_download"
          value={t('manage.data_download_text')}
          frozenUntil={frozenUntil}
        />
      )}
      {features.includes('deletion') && (
        <SettingsRow
          Icon={BinIcon}
          href={PATHS.manageDeletion}
          title="manage.deletion"
          value={t('manage.deletion_text')}
          frozenUntil={dueAt === undefined ? frozenUntil : undefined}
        />
      )}
    </Panel>
  );
}

function PasswordReplacements({ manage: { ways_in: ways = [] } }: { manage: ManageState }) {
  const { t } = useTranslation();
  return ways.map(({ name, count }) => {
    const factor = findEnrollable(name);
    if (!factor) return null;
    const { overview } = factor.setUp;
    const value = count > 0 ? t(overview.summary, { count }) : t('manage.factors_none');
    return (
      <SettingsRow key={name} Icon={factor.Icon} href={`${PATHS.manageMfa}#${name}`} title={overview.heading} value={value} />
    );
  });
}

/** @returns whether the person has a passkey, which protects the account without a second factor */
function hasPasskey({ ways_in: ways = [] }: ManageState): boolean {
  return ways.some(({ count }) => count > 0);
}

/** States where the password is changed, or that it cannot be changed here. */
function PasswordElsewhere({ url }: { url: string | null }) {
  const { t } = useTranslation();
  return url === null ? (
    <li className="row">
      <Tile Icon={LockIcon} />
      <span className="what">
        <b>{t('manage.password')}</b>
        <small>{t('manage.password_nowhere')}</small>
      </span>
    </li>
  ) : (
    <SettingsRow
      Icon={LockIcon}
      href={url}
      title="manage.password"
      value={t('manage.password_elsewhere', { host: new URL(url).host })}
    />
  );
}

function toFactorPhrases({ factors, ways_in: ways = [] }: ManageState) {
  return factors.flatMap(({ name, count }) => {
    if (ways.some((way) => way.name === name)) return [];
    const summary = findEnrollable(name)?.setUp.overview.summary;
    return summary ? [phrase(summary, { count })] : [];
  });
}
