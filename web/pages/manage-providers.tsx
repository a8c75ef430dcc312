/** Connects and disconnects accounts at providers (MAN-2, MAN-10) by plain forms, which work without script. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { initials } from '../../src/contract/initials.js';
import type { ManageProviderState } from '../../src/contract/manage-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { Isolated } from '../i18n/isolated.js';
import { Address } from '../ui/account/address.js';
import { LockedUntil } from '../ui/account/locked-until.js';
import { Opens } from '../ui/account/opens.js';
import { Form, SubmitButton } from '../ui/form.js';

interface Props {
  provider: ManageProviderState;
  hidden: Readonly<Record<string, string>>;
}

interface RowProps extends Props {
  /** Present while credentials are frozen; the page shows a notice about it. ISO 8601, UTC. */
  frozenUntil: string | undefined;
}

export function ProviderRow({ provider, hidden, frozenUntil }: RowProps) {
  if (provider.stays) return <Stays provider={provider} />;
  if (frozenUntil !== undefined) return <Frozen provider={provider} until={frozenUntil} />;
  return (
    <li>
      {provider.connected ? <Connected provider={provider} hidden={hidden} /> : <Free provider={provider} hidden={hidden} />}
    </li>
  );
}

function Free({ provider: { id, name, brand }, hidden }: Props) {
  const { t } = useTranslation();
  return (
    <Form className="row wraps" action={`${PATHS.manageOauth}/${id}/connect`} hidden={hidden}>
      <What name={name} brand={brand}>
        {t('manage.provider_none')}
      </What>
      <SubmitButton
        className="compact"
        label={t('manage.connect')}
        name={t('manage.connect_name', { provider: name })}
        busyLabel={t('manage.connecting')}
      />
    </Form>
  );
}

function Frozen({ provider: { name, brand, connected, label }, until }: Pick<Props, 'provider'> & { until: string }) {
  const { t } = useTranslation();
  return (
    <li className="row wraps">
      <What name={name} brand={brand} below={<LockedUntil moment={until} />}>
        {label ? <Address address={label} /> : t(connected ? 'manage.provider_connected' : 'manage.provider_none')}
      </What>
    </li>
  );
}

/** A provider that cannot be disconnected, because the person could not sign in without it. */
function Stays({ provider: { name, brand, label } }: Pick<Props, 'provider'>) {
  const { t } = useTranslation();
  return (
    <li className="row wraps">
      <What name={name} brand={brand} below={<small>{t('manage.provider_stays')}</small>}>
        {label ? <Address address={label} /> : t('manage.provider_connected')}
      </What>
    </li>
  );
}

/** A connected provider. Disconnecting it asks for confirmation first. */
function Connected({ provider: { id, name, brand, label }, hidden }: Props) {
  const { t } = useTranslation();
  return (
    <Opens
      className="row wraps"
      summary={
        <>
          <What name={name} brand={brand}>
            {label ? <Address address={label} /> : t('manage.provider_connected')}
          </What>
          <span>
            <span className="btn compact if-closed">{t('manage.disconnect')}</span>
            <span className="btn compact if-open">{t('manage.disconnect_keep')}</span>
          </span>
        </>
      }
    >
      <Form className="stack" action={`${PATHS.manageOauth}/${id}/disconnect`} hidden={hidden}>
        <p>
          <MarkedPhrase i18nKey="manage.disconnect_question" components={{ provider: <Isolated text={name} /> }} />
        </p>
        <div className="actions">
          <SubmitButton primary className="danger" label={t('manage.disconnect_now')} busyLabel={t('manage.disconnecting')} />
        </div>
      </Form>
    </Opens>
  );
}

interface WhatProps {
  name: string;
  brand: ManageProviderState['brand'];
  below?: ReactNode;
  children: ReactNode;
}

function What({ name, brand, below, children }: WhatProps) {
  return (
    <>
      <span className={`tile ${brand ?? 'letters'}`}>{brand ? <span className="mark" /> : initials(name)}</span>
      <span className="what">
        <b>{name}</b>
        <small>{children}</small>
        {below}
      </span>
    </>
  );
}
