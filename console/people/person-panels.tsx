/** The panels of a person: ways to sign in, second factors, sessions and trusted browsers. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountDetail, Provider, Session, TrustedBrowser } from '../api/calls.js';
import { providersQuery, sessionsQuery, browserTrustQuery } from '../api/queries.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { useAllowed } from '../session/session-context.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Empty, Loading } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { Panel } from '../ui/panel.js';
import { Phrase } from '../ui/phrase.js';
import { RowButton } from '../ui/row-button.js';
import { UserText } from '../ui/user-text.js';
import type { ActionSelection } from './action-dialog.js';
import { getAction, type ActionName } from './actions.js';

interface PanelProps {
  account: AccountDetail;
  onAction(selection: ActionSelection): void;
}

type Factor = AccountDetail['factors']['all'][number];

/** A passkey signs in alone, so it is a way to sign in and not only a factor. */
const isPasskey = ({ name }: Factor): boolean => name === 'passkey';

export function WaysInPanel({ account, onAction }: PanelProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const query = useQuery({ ...providersQuery(account.id), enabled: isAllowed('providers.list') });
  const passkeys = account.factors.all.filter(isPasskey);
  const providers = query.data?.providers ?? [];
  const { source, source_name: sourceName, password_elsewhere: isElsewhere, scim } = account;
  const hasPassword = account.has_password && !isElsewhere;
  const isEmpty = source === null && !hasPassword && passkeys.length === 0 && providers.length === 0;
  return (
    <Panel title={t('ways.title')}>
      <QueryState query={query}>
        {isEmpty && <Empty>{t('ways.none')}</Empty>}
        <ul className="items">
          {hasPassword && <Item title={t('facts.password')}>{t('ways.password_text')}</Item>}
          {source !== null && (
            <Item title={t('ways.source')}>
              <Phrase
                phrase={scim === null ? 'ways.source_text' : 'ways.scim_text'}
                values={{ source: <UserText text={sourceName ?? source} /> }}
              />
            </Item>
          )}
          {passkeys.map((factor) => (
            <FactorItems key={factor.name} factor={factor} onAction={onAction} />
          ))}
          {providers.map((provider) => (
            <ProviderItem key={provider.provider} provider={provider} onAction={onAction} />
          ))}
        </ul>
      </QueryState>
    </Panel>
  );
}

function ProviderItem({ provider, onAction }: { provider: Provider; onAction: PanelProps['onAction'] }) {
  const { provider: id, label, connected_at: connectedAt, last_used_at: usedAt } = provider;
  return (
    <Item title={<UserText text={id} />} action={<RowAction name="disconnect" target={id} label={id} onAction={onAction} />}>
      {label !== null && (
        <>
          <UserText text={label} /> ·{' '}
        </>
      )}
      <Phrase phrase="ways.connected" values={{ time: <Moment at={connectedAt} /> }} /> · <LastUse at={usedAt} />
    </Item>
  );
}

export function FactorsPanel({ account, onAction }: PanelProps) {
  const { t } = useTranslation();
  const factors = account.factors.all.filter((factor) => !isPasskey(factor));
  return (
    <Panel title={t('factors.title')}>
      {factors.length === 0 ? (
        <Empty>{t('factors.none')}</Empty>
      ) : (
        <ul className="items">
          {factors.map((factor) => (
            <FactorItems key={factor.name} factor={factor} onAction={onAction} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const FACTOR_NAMES: Readonly<Record<string, PhraseKey>> = {
  totp: 'factor.totp',
  fido2: 'factor.fido2',
  passkey: 'factor.passkey',
  'email-code': 'factor.email_code',
  recovery: 'factor.recovery',
};

function FactorItems({ factor, onAction }: { factor: Factor; onAction: PanelProps['onAction'] }) {
  const { name, label, count, entries } = factor;
  const { t } = useTranslation();
  const phrase = Object.hasOwn(FACTOR_NAMES, name) ? FACTOR_NAMES[name] : undefined;
  const title = phrase === undefined ? label : t(phrase);
  if (entries.length === 0) return <Item title={title}>{t('factors.left', { count })}</Item>;
  return entries.map((entry, index) => (
    <Item
      key={entry.id ?? index}
      title={entry.name === null ? title : <UserText text={entry.name} />}
      action={<RowAction name="factor_remove" target={entry.id ?? name} label={entry.name ?? title} onAction={onAction} />}
    >
      {entry.name !== null && `${title} · `}
      <Phrase phrase="factors.since" values={{ time: <Moment at={entry.created_at} /> }} /> · <LastUse at={entry.last_used_at} />
      {entry.synced !== null && ` · ${t(entry.synced ? 'factors.synced' : 'factors.not_synced')}`}
    </Item>
  ));
}

export function SessionsPanel({ account, onAction }: PanelProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const query = useQuery({ ...sessionsQuery(account.id), enabled: isAllowed('sessions.list') });
  const sessions = query.data?.sessions ?? [];
  if (!isAllowed('sessions.list')) return null;
  return (
    <Panel title={t('sessions.title')} actions={sessions.length > 1 && <RowAction name="end_sessions" onAction={onAction} />}>
      <QueryState query={query}>
        {sessions.length === 0 ? (
          <Empty>{t('sessions.none')}</Empty>
        ) : (
          <ul className="items">
            {sessions.map((session) => (
              <SessionItem key={session.id} session={session} onAction={onAction} />
            ))}
          </ul>
        )}
      </QueryState>
    </Panel>
  );
}

const METHODS: Readonly<Record<string, PhraseKey>> = {
  pwd: 'amr.pwd',
  otp: 'amr.otp',
  hwk: 'amr.hwk',
  swk: 'amr.swk',
  pop: 'amr.pop',
  fed: 'amr.fed',
  mail: 'way.mailed_code',
};

function SessionItem({ session, onAction }: { session: Session; onAction: PanelProps['onAction'] }) {
  const { t } = useTranslation();
  const { id, kind, browser, address, began_at: beganAt, seen_at: seenAt, expires_at: expiresAt, client_id: client } = session;
  const methods = session.amr.flatMap((name) => (METHODS[name] === undefined ? [] : [t(METHODS[name])]));
  const name = browser ?? t('sessions.unknown_browser');
  return (
    <Item
      title={
        <>
          <UserText text={name} />{' '}
          <span className="muted">{t(kind === 'sign_in' ? 'sessions.sign_in' : 'sessions.account_area')}</span>
        </>
      }
      action={<RowAction name="end_session" target={id} label={name} onAction={onAction} />}
    >
      <Phrase phrase="sessions.began" values={{ time: <Moment at={beganAt} /> }} />
      {client !== null && (
        <>
          {' · '}
          <Phrase phrase="sessions.client" values={{ client: <UserText text={client} /> }} />
        </>
      )}
      {methods.length > 0 && ` · ${methods.join(' + ')}`}
      {address !== null && (
        <>
          {' · '}
          <code>{address}</code>
        </>
      )}
      <br />
      {seenAt !== null && (
        <>
          <Phrase phrase="sessions.seen" values={{ time: <Moment at={seenAt} /> }} />
          {' · '}
        </>
      )}
      <Phrase phrase="sessions.ends" values={{ time: <Moment at={expiresAt} /> }} />
    </Item>
  );
}

export function TrustedBrowsersPanel({ account, onAction }: PanelProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const query = useQuery({ ...browserTrustQuery(account.id), enabled: isAllowed('trustedBrowsers.list') });
  const browsers = query.data?.trusted_browsers ?? [];
  if (!isAllowed('trustedBrowsers.list')) return null;
  return (
    <Panel title={t('trusted.title')} actions={browsers.length > 1 && <RowAction name="end_trust" onAction={onAction} />}>
      <QueryState query={query}>
        {browsers.length === 0 ? (
          <Empty>{t('trusted.none')}</Empty>
        ) : (
          <ul className="items">
            {browsers.map((browser) => (
              <TrustedBrowserItem key={browser.id} trustedBrowser={browser} onAction={onAction} />
            ))}
          </ul>
        )}
      </QueryState>
    </Panel>
  );
}

function TrustedBrowserItem({ trustedBrowser, onAction }: { trustedBrowser: TrustedBrowser; onAction: PanelProps['onAction'] }) {
  const { t } = useTranslation();
  const name = trustedBrowser.browser ?? t('sessions.unknown_browser');
  return (
    <Item
      title={<UserText text={name} />}
      action={<RowAction name="end_trusted" target={trustedBrowser.id} label={name} onAction={onAction} />}
    >
      <Phrase phrase="trusted.since" values={{ time: <Moment at={trustedBrowser.created_at} /> }} /> ·{' '}
      <LastUse at={trustedBrowser.last_used_at} /> ·{' '}
      <Phrase phrase="sessions.ends" values={{ time: <Moment at={trustedBrowser.expires_at} /> }} />
    </Item>
  );
}

export function Item({ title, action, children }: { title: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <li>
      <div className="item-text">
        <b>{title}</b>
        <p className="muted">{children}</p>
      </div>
      {action}
    </li>
  );
}

function LastUse({ at }: { at: string | null }) {
  const { t } = useTranslation();
  return at === null ? t('use.never') : <Phrase phrase="use.last" values={{ time: <Moment at={at} /> }} />;
}

interface RowActionProps {
  name: ActionName;
  target?: string;
  label?: string;
  onAction(selection: ActionSelection): void;
}

function RowAction({ name, target, label, onAction }: RowActionProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  if (!isAllowed(getAction(name).operation)) return null;
  const choose = (): void =>
    onAction({ name, ...(target === undefined ? {} : { target }), ...(label === undefined ? {} : { label }) });
  return <RowButton action={name} text={t(`action.${name}`)} {...(label === undefined ? {} : { label })} onClick={choose} />;
}

export function QueryState({ query: { isLoading, error, refetch }, children }: { query: UseQueryResult; children: ReactNode }) {
  if (isLoading) return <Loading />;
  if (error === null) return children;
  return (
    <div className="panel-body">
      <FaultAlert error={error} onRetry={() => void refetch()} />
    </div>
  );
}
