/** Everything about one person on one page, and what can be done for them. */
import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.js';
import type { AccountDetail } from '../api/calls.js';
import { accountQuery } from '../api/queries.js';
import { SessionProvider, useAllowed, useSession } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { CopyButton } from '../ui/copy-button.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { BackIcon, DownIcon, InfoIcon } from '../ui/icons.js';
import { Initials } from '../ui/initials.js';
import { Loading } from '../ui/load-state.js';
import { PageHeading } from '../ui/page-heading.js';
import { UserText } from '../ui/user-text.js';
import { toVisibleText } from '../ui/visible-text.js';
import { ActionDialog, type ActionSelection } from './action-dialog.js';
import { ActionList } from './action-list.js';
import { findRestriction, restrictSession } from './allowed-changes.js';
import { FactsPanel } from './facts-panel.js';
import { EventsPanel } from './events-panel.js';
import { OperatorPanel } from './operator-panel.js';
import { FactorsPanel, SessionsPanel, TrustedBrowsersPanel, WaysInPanel } from './person-panels.js';
import { StatusTags } from './status-tags.js';
import { AcceptedTermsPanel, TasksPanel } from './tasks-panel.js';

const route = getRouteApi('/gate/people/$id');

export function PersonPage() {
  const { id } = route.useParams();
  const isAllowed = useAllowed();
  return isAllowed('accounts.show') ? <Person id={id} key={id} /> : <NotAllowedPage />;
}

function Person({ id }: { id: string }) {
  const { data: account, error, refetch } = useQuery(accountQuery(id));
  if (error instanceof ApiError && error.status === 404) return <NobodyPage id={id} />;
  if (account) return <LoadedPerson account={account} error={error} onRetry={() => void refetch()} />;
  return <div className="page">{error === null ? <Loading /> : <LoadError error={error} onRetry={() => void refetch()} />}</div>;
}

function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeading title={t('person.failed')} />
      <FaultAlert error={error} onRetry={onRetry} />
    </>
  );
}

function NobodyPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  return (
    <div className="page narrow-page">
      <PageHeading title={t('person.nobody')} />
      <p>{t('person.nobody_text')}</p>
      <p className="row wrap">
        <Link to="/people" className="button primary">
          {t('person.back')}
        </Link>
        {isAllowed('audit.ofAll') && (
          <Link to="/activity" search={{ account: id }} className="button">
            {t('person.nobody_events')}
          </Link>
        )}
      </p>
    </div>
  );
}

interface LoadedPersonProps {
  account: AccountDetail;
  error: unknown;
  onRetry: () => void;
}

function LoadedPerson({ account, error, onRetry }: LoadedPersonProps) {
  const { t } = useTranslation();
  const [selection, setSelection] = useState<ActionSelection | null>(null);
  const [lastReason, setLastReason] = useState('');
  const session = useSession();
  return (
    <SessionProvider value={restrictSession(session, account)}>
      <div className="page">
        <BackLink />
        <PersonHead account={account} />
        {error !== null && <FaultAlert error={error} onRetry={onRetry} />}
        <Restriction account={account} />
        <div className="person">
          <div className="person-main">
            {/* Most people call about something that went wrong a moment ago. */}
            <EventsPanel account={account} />
            <TasksPanel account={account} />
            <WaysInPanel account={account} onAction={setSelection} />
            <FactorsPanel account={account} onAction={setSelection} />
            <SessionsPanel account={account} onAction={setSelection} />
            <TrustedBrowsersPanel account={account} onAction={setSelection} />
            <AcceptedTermsPanel account={account} />
            <OperatorPanel account={account} />
          </div>
          <aside className="person-side" aria-label={t('actions.title')}>
            <details className="fold actions-fold" open={isWide()}>
              <summary>
                {t('actions.title')} <DownIcon />
              </summary>
              <ActionList account={account} onAction={setSelection} />
            </details>
            <FactsPanel account={account} />
          </aside>
        </div>
        {selection && (
          <ActionDialog
            account={account}
            selection={selection}
            lastReason={lastReason}
            onReason={setLastReason}
            onClose={() => setSelection(null)}
          />
        )}
      </div>
    </SessionProvider>
  );
}

/** Why the operator may not change this account, or not in every way. */
function Restriction({ account }: { account: AccountDetail }) {
  const { t } = useTranslation();
  const restriction = findRestriction(useSession(), account);
  if (restriction === null) return null;
  return (
    <div className="alert">
      <InfoIcon />
      <p>{t(restriction)}</p>
    </div>
  );
}

/** In a narrow window the list of actions is closed at first, so that the person comes first. */
const isWide = (): boolean => matchMedia('(min-width: 64rem)').matches;

function BackLink() {
  const { t } = useTranslation();
  return (
    <Link to="/people" className="back">
      <BackIcon /> {t('nav.people')}
    </Link>
  );
}

function PersonHead({ account }: { account: AccountDetail }) {
  const { t } = useTranslation();
  const { id, display_name: name, username } = account;
  return (
    <div className="person-head">
      <Initials name={name} isLarge />
      <div className="person-name">
        <PageHeading title={toVisibleText(name)}>
          <UserText text={name} />
        </PageHeading>
        <p className="muted">
          <UserText text={username} />
        </p>
      </div>
      <div className="tags">
        <StatusTags account={account} />
      </div>
      <p className="person-id">
        <code>{id}</code> <CopyButton isIcon text={id} label={t('person.copy_id')} />
      </p>
    </div>
  );
}
