/** The settings, grouped: the name of the group on the left, its entries on the right. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManageState } from '../../src/contract/manage-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { enrollableNamed } from '../factors/registry.js';
import { phrase } from '../i18n/phrase.js';
import type { MessageKey } from '../i18n/phrase.js';
import { LockedUntil } from '../ui/account/locked-until.js';
import { GoIcon } from '../ui/icons.js';
import { ProviderRow } from './manage-providers.js';

type Email = NonNullable<ManageState['email']>;

export function Panels({ manage, hidden }: { manage: ManageState; hidden: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const frozenUntil = manage.frozen_until;
  const factors = factorsOf(manage).map((factor) => t(...factor));
  return (
    <div>
      {!manage.username_elsewhere && (
        <Panel heading="manage.account">
          <Row href={PATHS.manageUsername} title="manage.username" value={manage.username} frozenUntil={frozenUntil} />
          {manage.email && <EmailRow email={manage.email} frozenUntil={frozenUntil} />}
        </Panel>
      )}
      <Panel heading="manage.credentials">
        {manage.password_elsewhere ? (
          <PasswordElsewhere url={manage.password_elsewhere.url} />
        ) : (
          <Row
            href={PATHS.managePassword}
            title="manage.password"
            value={manage.password_set ? <span aria-hidden="true">••••••••</span> : t('manage.password_none')}
            frozenUntil={frozenUntil}
          />
        )}
        <WaysIn manage={manage} />
        <Row href={PATHS.manageMfa} title="settings.two_factor" value={factors.join(', ') || t('manage.factors_none')}>
          {factors.length > 0 && <span className="tag success">{t('manage.active')}</span>}
        </Row>
        {manage.recovery_codes_left !== undefined && (
          <Row
            href={PATHS.manageRecoveryCodes}
            title="factor.codes"
            value={t('settings.codes_left', { count: manage.recovery_codes_left })}
          />
        )}
      </Panel>
      <Access manage={manage} />
      {manage.providers.length > 0 && (
        <Panel heading="manage.providers">
          {manage.providers.map((provider) => (
            <ProviderRow key={provider.id} provider={provider} hidden={hidden} frozenUntil={frozenUntil} />
          ))}
        </Panel>
      )}
      <Data manage={manage} />
    </div>
  );
}

function EmailRow({ email: { address, verified }, frozenUntil }: { email: Email } & Pick<RowProps, 'frozenUntil'>) {
  const { t } = useTranslation();
  return (
    <Row href={PATHS.manageEmail} title="manage.email" value={address ?? t('manage.email_none')} frozenUntil={frozenUntil}>
      {address !== null && !verified && <span className="tag">{t('manage.email_unverified')}</span>}
    </Row>
  );
}

/** Who and what comes in, and what has happened. */
function Access({ manage: { features } }: { manage: ManageState }) {
  const { t } = useTranslation();
  return (
    <Panel heading="manage.access">
      <Row href={PATHS.manageDevices} title="manage.devices" value={t('manage.devices_text')} />
      <Row href={PATHS.manageApps} title="manage.apps" value={t('manage.apps_text')} />
      {features.includes('activity') && (
        <Row href={PATHS.manageActivity} title="manage.activity" value={t('manage.activity_text')} />
      )}
    </Panel>
  );
}

/** The account as a whole; its end comes last. */
function Data({ manage: { features, frozen_until: frozenUntil, deletion_due_at: due } }: { manage: ManageState }) {
  const { t } = useTranslation();
  if (!features.includes('data') && !features.includes('deletion')) return null;
  return (
    <Panel heading="manage.data">
      {features.includes('data') && (
        <Row
          href={PATHS.manageData}
          title="manage.data_download"
          value={t('manage.data_download_text')}
          frozenUntil={frozenUntil}
        />
      )}
      {features.includes('deletion') && (
        <Row
          href={PATHS.manageDeletion}
          title="manage.deletion"
          value={t('manage.deletion_text')}
          frozenUntil={due === undefined ? frozenUntil : undefined}
        />
      )}
    </Panel>
  );
}

/** Kinds that people sign in with alone. */
function WaysIn({ manage: { ways_in: ways = [] } }: { manage: ManageState }) {
  const { t } = useTranslation();
  return ways.map(({ name, count }) => {
    const overview = enrollableNamed(name)?.setUp.overview;
    if (!overview) return null;
    const value = count > 0 ? t(overview.summary, { count }) : t('manage.factors_none');
    return <Row key={name} href={`${PATHS.manageMfa}#${name}`} title={overview.heading} value={value} />;
  });
}

/** Where the password is changed, or only that it is not here. */
function PasswordElsewhere({ url }: { url: string | null }) {
  const { t } = useTranslation();
  return url === null ? (
    <li className="row wraps">
      <span className="what">
        <b>{t('manage.password')}</b>
        <small>{t('manage.password_nowhere')}</small>
      </span>
    </li>
  ) : (
    <Row href={url} title="manage.password" value={t('manage.password_elsewhere', { host: new URL(url).host })} />
  );
}

function factorsOf({ factors, ways_in: others = [] }: ManageState) {
  return factors.flatMap(({ name, count }) => {
    if (others.some((other) => other.name === name)) return [];
    const summary = enrollableNamed(name)?.setUp.overview.summary;
    return summary ? [phrase(summary, { count })] : [];
  });
}

function Panel({ heading, children }: { heading: MessageKey; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section className="panel">
      <h2>{t(heading)}</h2>
      <div>
        <ul className="rows">{children}</ul>
      </div>
    </section>
  );
}

interface RowProps {
  href: string;
  title: MessageKey;
  value: ReactNode;
  /** Present while it cannot be changed. */
  frozenUntil?: string | undefined;
  children?: ReactNode;
}

function Row({ href, title, value, frozenUntil, children }: RowProps) {
  const { t } = useTranslation();
  if (frozenUntil !== undefined) {
    return (
      <li className="row wraps">
        <span className="what">
          <b>{t(title)}</b>
          <small>{value}</small>
          <LockedUntil moment={frozenUntil} />
        </span>
      </li>
    );
  }
  return (
    <li>
      <a className="row" href={href}>
        <span className="what">
          <b>{t(title)}</b>
          <small>{value}</small>
        </span>
        {children}
        <GoIcon />
      </a>
    </li>
  );
}
