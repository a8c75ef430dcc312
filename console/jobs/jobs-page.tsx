/** The jobs on many accounts, newest first. */
import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '../api/calls.js';
import { jobsQuery } from '../api/queries.js';
import { nameActor } from '../activity/actor-name.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { BackIcon } from '../ui/icons.js';
import { ListState } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Pager } from '../ui/pager.js';
import { UserText } from '../ui/user-text.js';
import { nameJobAction } from './job-actions.js';
import { JobState } from './job-words.js';

const route = getRouteApi('/gate/people/jobs');

export function JobsPage() {
  const isAllowed = useAllowed();
  return isAllowed('jobs.list') ? <Jobs /> : <NotAllowedPage />;
}

function Jobs() {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { cursor } = route.useSearch();
  const { data, error, isPlaceholderData, refetch } = useQuery(jobsQuery(cursor));
  const none = [t('job.none'), ...(isAllowed('jobs.start') ? [t('job.none_next')] : [])].join(' ');
  return (
    <div className="page">
      <Link to="/people" className="back">
        <BackIcon /> {t('nav.people')}
      </Link>
      <PageHeading title={t('job.title')} />
      <ListState error={error} onRetry={() => void refetch()} rows={data?.jobs} none={none}>
        <JobTable jobs={data?.jobs ?? []} isOutdated={isPlaceholderData} />
      </ListState>
      <Pager to="/people/jobs" filters={{ cursor }} nextCursor={data?.next_cursor} />
    </div>
  );
}

function JobTable({ jobs, isOutdated }: { jobs: readonly Job[]; isOutdated: boolean }) {
  const { t } = useTranslation();
  const columns = useMemo(
    (): Columns<Job> => [
      {
        id: 'job',
        header: t('job.action'),
        cell: ({ row: { original } }) => (
          <Link to="/people/jobs/$job" params={{ job: original.id }} className="row-link">
            {nameJobAction(original.action, t)}
          </Link>
        ),
      },
      { id: 'state', header: t('job.state'), cell: ({ row }) => <JobState job={row.original} /> },
      {
        id: 'accounts',
        header: t('job.accounts'),
        cell: ({ row: { original } }) => t('job.share', { done: original.done + original.failed, total: original.total }),
      },
      { id: 'failed', header: t('job.failed'), cell: ({ row }) => row.original.failed },
      { id: 'by', header: t('activity.actor'), cell: ({ row }) => <UserText text={nameActor(row.original.started_by, t)} /> },
      { id: 'at', header: t('activity.time'), cell: ({ row }) => <Moment at={row.original.started_at} isFirst /> },
    ],
    [t],
  );
  return (
    <div className="table-frame">
      <DataTable label={t('job.title')} columns={columns} rows={jobs} toKey={({ id }) => id} isOutdated={isOutdated} />
    </div>
  );
}
