/** Connects and disconnects accounts at providers (MAN-2, MAN-10) with plain forms, which work without script. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toInitials } from '../../src/contract/initials.js';
import type { ManageProviderState } from '../../src/contract/manage-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { Isolated } from '../i18n/isolated.js';
import { Address } from '../ui/account/address.js';
import { LockedUntil } from '../ui/account/locked-until.js';
import { Disclosure } from '../ui/account/disclosure.js';
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
  if (provider.stays) return <PermanentProvider provider={provider} />;
  if (frozenUntil !== undefined) return <FrozenProvider provider={provider} frozenUntil={frozenUntil} />;
  return (
    <li>
      {provider.connected ? (
        <ConnectedProvider provider={provider} hidden={hidden} />
      ) : (
        <AvailableProvider provider={provider} hidden={hidden} />
      )}
    </li>
  );
}

function AvailableProvider({ provider: { id, name, brand }, hidden }: Props) {
  const { t } = useTranslation();
  return (
    <Form className="row wraps" action={`${PATHS.manageOauth}/${id}/connect`} hidden={hidden}>
      <ProviderDescription name={name} brand={brand}>
        {t('manage.provider_none')}
      </ProviderDescription>
      <SubmitButton
        className="compact"
        label={t('manage.connect')}
        name={t('manage.connect_name', { provider: name })}
        busyLabel={t('manage.connecting')}
      />
    </Form>
  );
}

function FrozenProvider({
  provider: { name, brand, connected, label },
  frozenUntil,
}: Pick<Props, 'provider'> & { frozenUntil: string }) {
  const { t } = useTranslation();
  return (
    <li className="row wraps">
      <ProviderDescription name={name} brand={brand} note={<LockedUntil moment={frozenUntil} />}>
        {label ? <Address address={label} /> : t(connected ? 'manage.provider_connected' : 'manage.provider_none')}
      </ProviderDescription>
    </li>
  );
}

/** A provider that cannot be disconnected, because the account comes from it. */
function PermanentProvider({ provider: { name, brand, label } }: Pick<Props, 'provider'>) {
  const { t } = useTranslation();
  return (
    <li className="row wraps">
      <ProviderDescription name={name} brand={brand} note={<small>{t('manage.provider_stays')}</small>}>
        {label ? <Address address={label} /> : t('manage.provider_connected')}
      </ProviderDescription>
    </li>
  );
}

/** A connected provider. Its button asks for confirmation before it disconnects the provider. */
function ConnectedProvider({ provider: { id, name, brand, label }, hidden }: Props) {
  const { t } = useTranslation();
  return (
    <Disclosure
      className="row wraps"
      summary={
        <>
          <ProviderDescription name={name} brand={brand}>
            {label ? <Address address={label} /> : t('manage.provider_connected')}
          </ProviderDescription>
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
    </Disclosure>
  );
}

interface DescriptionProps {
  name: string;
  brand: ManageProviderState['brand'];
  note?: ReactNode;
  children: ReactNode;
}

function ProviderDescription({ name, brand, note, children }: DescriptionProps) {
  return (
    <>
      <span className={`tile ${brand ?? 'letters'}`}>{brand ? <span className="mark" /> : toInitials(name)}</span>
      <span className="what">
        <b>{name}</b>
        <small>{children}</small>
        {note}
      </span>
    </>
  );
}
