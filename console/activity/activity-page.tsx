/** The audit log in words: filtered by the address, newest first, and live on request. */
import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry, AuditPage } from '../api/calls.js';
import { eventsQuery } from '../api/queries.js';
import { useRetry } from '../api/query-client.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { DownloadIcon } from '../ui/icons.js';
import { Empty, Loading } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Pager } from '../ui/pager.js';
import { SavedFilters } from '../ui/saved-filters.js';
import { toVisibleText } from '../ui/visible-text.js';
import type { ActivityFilters } from './activity-filters.js';
import { ActivityFilterBar } from './activity-filter-bar.js';
import { DownloadDialog } from './download-dialog.js';
import { Actor, EventWords } from './event.js';
import { useLive } from './use-live.js';

const route = getRouteApi('/gate/activity');

export function ActivityPage() {
  const isAllowed = useAllowed();
  return isAllowed('audit.ofAll') ? <ActivityLog /> : <NotAllowedPage />;
}

function ActivityLog() {
  const { t } = useTranslation();
  const filters = route.useSearch();
  const { data, error, isPlaceholderData } = useQuery(eventsQuery(filters));
  const [isLiveWanted, setIsLiveWanted] = useState(false);
  // Older pages and past times do not change.
  const canBeLive = filters.cursor === undefined && filters.until === undefined;
  const live = useLive(isLiveWanted && canBeLive, filters);
  const [isDownloading, setIsDownloading] = useState(false);
  const fault = error ?? live.error;
  return (
    <div className="page">
      <div className="page-head">
        <PageHeading title={t('activity.title')} />
        <div className="row wrap">
          <LiveSwitch isOn={isLiveWanted && canBeLive} canBeLive={canBeLive} onChange={setIsLiveWanted} />
          <button type="button" className="button" onClick={() => setIsDownloading(true)}>
            <DownloadIcon /> {t('activity.download')}
          </button>
        </div>
      </div>
      <ActivityFilterBar filters={filters} entries={data?.entries ?? []} />
      {fault === null && <SavedFilters page="activity" />}
      <p className="only-heard" role="status">
        {live.freshIds.size > 0 && t('activity.fresh', { count: live.freshIds.size })}
      </p>
      <Fault error={error} liveError={live.error} />
      {data === undefined && fault === null && <Loading />}
      {data !== undefined && error === null && (
        <Events page={data} filters={filters} freshIds={live.freshIds} isOutdated={isPlaceholderData} />
      )}
      {isDownloading && <DownloadDialog filters={filters} onClose={() => setIsDownloading(false)} />}
    </div>
  );
}

/** The live page makes a failed call again on its own. */
function Fault({ error, liveError }: { error: unknown; liveError: unknown }) {
  const retry = useRetry();
  if (error !== null) return <FaultAlert error={error} onRetry={retry} />;
  return liveError !== null && <FaultAlert error={liveError} />;
}

interface EventsProps {
  page: AuditPage;
  filters: ActivityFilters;
  freshIds: ReadonlySet<string>;
  isOutdated: boolean;
}

function Events({ page: { entries, next_cursor: nextCursor }, filters, freshIds, isOutdated }: EventsProps) {
  const { t } = useTranslation();
  return (
    <>
      {entries.length === 0 ? (
        <NothingFound filters={filters} />
      ) : (
        <EventTable entries={entries} freshIds={freshIds} isOutdated={isOutdated} />
      )}
      <Pager
        to="/activity"
        filters={filters}
        nextCursor={nextCursor}
        firstLabel={t('activity.newest')}
        nextLabel={t('activity.older')}
      />
    </>
  );
}

interface LiveSwitchProps {
  isOn: boolean;
  canBeLive: boolean;
  onChange(isOn: boolean): void;
}

function LiveSwitch({ isOn, canBeLive, onChange }: LiveSwitchProps) {
  const { t } = useTranslation();
  return (
    <label className="switch" title={canBeLive ? undefined : t('activity.live_off')}>
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={!canBeLive}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span className="switch-track" aria-hidden="true" />
      {t('activity.live')}
    </label>
  );
}

function NothingFound({ filters }: { filters: ActivityFilters }) {
  const { t } = useTranslation();
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Empty>
      <p>{t(isFiltered ? 'activity.none_found' : 'activity.none')}</p>
      {isFiltered && (
        <Link to="/activity" search={{}} className="button">
          {t('activity.show_all')}
        </Link>
      )}
    </Empty>
  );
}

interface EventTableProps {
  entries: readonly AuditEntry[];
  freshIds: ReadonlySet<string>;
  isOutdated: boolean;
}

function EventTable({ entries, freshIds, isOutdated }: EventTableProps) {
  const { t } = useTranslation();
  const columns = useMemo(
    (): Columns<AuditEntry> => [
      { id: 'at', header: t('activity.time'), cell: ({ row }) => <Moment at={row.original.at} hasSeconds isFirst /> },
      {
        id: 'event',
        header: t('activity.event'),
        cell: ({ row }) => <EventCell entry={row.original} isFresh={freshIds.has(row.original.id)} />,
      },
      { id: 'account', header: t('people.person'), cell: ({ row }) => <AccountCell entry={row.original} /> },
      { id: 'actor', header: t('activity.actor'), cell: ({ row }) => <Actor entry={row.original} /> },
      { id: 'address', header: t('activity.address'), cell: ({ row }) => <AddressCell address={row.original.address} /> },
    ],
    [t, freshIds],
  );
  return (
    <div className="table-frame">
      <DataTable
        className="events"
        label={t('activity.title')}
        columns={columns}
        rows={entries}
        toKey={({ id }) => id}
        isOutdated={isOutdated}
      />
    </div>
  );
}

function EventCell({ entry, isFresh }: { entry: AuditEntry; isFresh: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={`event-cell ${isFresh ? 'event-fresh' : ''}`}>
      <EventWords entry={entry} />
      <details className="event-raw">
        <summary>{t('activity.details')}</summary>
        <pre tabIndex={0} aria-label={t('activity.details')}>
          {toVisibleText(JSON.stringify(entry, null, 2)).replaceAll('[U+000A]', '\n')}
        </pre>
      </details>
    </div>
  );
}

function AccountCell({ entry: { account_id: id, username } }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  if (id === null) return <span className="muted">{t('activity.nobody')}</span>;
  const text = username ?? `${id.slice(0, 8)}…`;
  if (isAllowed('accounts.show')) {
    return (
      <Link to="/people/$id" params={{ id }} title={id}>
        {toVisibleText(text)}
      </Link>
    );
  }
  return (
    <Link to="/activity" search={{ account: id }} title={id}>
      {toVisibleText(text)}
    </Link>
  );
}

const AddressCell = ({ address }: { address: string | null }) => (address === null ? null : <code>{address}</code>);
