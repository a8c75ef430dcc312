/** Accounts of other companies: connected or not, with the way to the other (MAN-2, MAN-10). Plain forms, script on and off. */
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import type { ManageProviderState } from '../../src/contract/manage-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../phrases/phrase.js';
import { Say, usePhrases } from '../phrases/say.js';
import { Form, SubmitButton } from '../ui/form.js';
import { initials } from '../ui/plate.js';

interface Props {
  provider: ManageProviderState;
  hidden: Readonly<Record<string, string>>;
}

interface RowProps extends Props {
  /** Nothing can be changed for a while; the page says so above. */
  frozen: boolean;
}

export function ProviderRow({ provider, hidden, frozen }: RowProps) {
  if (frozen) return <Frozen provider={provider} />;
  return (
    <li>
      {provider.connected ? <Connected provider={provider} hidden={hidden} /> : <Free provider={provider} hidden={hidden} />}
    </li>
  );
}

function Free({ provider: { id, name, brand }, hidden }: Props) {
  const { text } = usePhrases();
  return (
    <Form className="row wraps" action={`${PATHS.manageOauth}/${id}/connect`} hidden={hidden}>
      <What name={name} brand={brand}>
        {text('manage.provider_none')}
      </What>
      <SubmitButton
        look="compact"
        label={text('manage.connect')}
        name={text(phrase('manage.connect_name', { provider: name }))}
        busyLabel={text('manage.connecting')}
      />
    </Form>
  );
}

function Frozen({ provider: { name, brand, connected, label } }: Pick<Props, 'provider'>) {
  const { text } = usePhrases();
  return (
    <li className="row wraps">
      <What name={name} brand={brand}>
        {label ? <Address label={label} /> : text(connected ? 'manage.provider_connected' : 'manage.provider_none')}
      </What>
      <span className="aside">{text('manage.locked')}</span>
    </li>
  );
}

/** Asked about in place, by a part of the page that opens without script too. */
function Connected({ provider: { id, name, brand, label }, hidden }: Props) {
  const { text } = usePhrases();
  return (
    <details className="opens">
      <summary className="row wraps">
        <What name={name} brand={brand}>
          {label ? <Address label={label} /> : text('manage.provider_connected')}
        </What>
        <span>
          <span className="btn compact if-closed">{text('manage.disconnect')}</span>
          <span className="btn compact if-open">{text('manage.disconnect_keep')}</span>
        </span>
      </summary>
      <Form className="stack" action={`${PATHS.manageOauth}/${id}/disconnect`} hidden={hidden}>
        <p>
          <Say phrase={phrase('manage.disconnect_question', { provider: name })} />
        </p>
        <div className="actions">
          <SubmitButton primary look="danger" label={text('manage.disconnect_now')} busyLabel={text('manage.disconnecting')} />
        </div>
      </Form>
    </details>
  );
}

/** Where an address does not fit on a line, it breaks before its domain. */
function Address({ label }: { label: string }) {
  const [mailbox, ...domain] = label.split('@');
  return (
    <bdi>
      {mailbox}
      {domain.map((part) => (
        <Fragment key={`@${part}`}>
          <wbr />@{part}
        </Fragment>
      ))}
    </bdi>
  );
}

function What({ name, brand, children }: { name: string; brand: ManageProviderState['brand']; children: ReactNode }) {
  return (
    <>
      <span className={`tile ${brand ?? ''}`}>{brand ? <span className="mark" /> : initials(name)}</span>
      <span className="what">
        <b>{name}</b>
        <small>{children}</small>
      </span>
    </>
  );
}
