/** The progress of a job on many accounts, its failures, and the button that stops it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ParseKeys } from 'i18next';
import { nameActor } from '../activity/actor-name.js';
import { ApiError } from '../api/api-error.js';
import { api, toReasonHeader, unwrap, type Job, type JobFailure } from '../api/calls.js';
import { jobFailuresQuery, jobQuery } from '../api/queries.js';
import { toDateTag } from '../i18n/i18n.js';
import { readPeopleFilters, type PeopleFilters } from '../people/people-filters.js';
import { useAllowed, useSession } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { formatDay } from '../ui/dates.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { BackIcon } from '../ui/icons.js';
import { Empty, Loading } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Panel } from '../ui/panel.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { UserText } from '../ui/user-text.js';
import { nameJobAction } from './job-actions.js';
import { JobProgress, JobState } from './job-words.js';

const route = getRouteApi('/gate/people/jobs/$job');

export function JobPage() {
  const { job } = route.useParams();
  const isAllowed = useAllowed();
  return isAllowed('jobs.show') ? <LoadedJob id={job} key={job} /> : <NotAllowedPage />;
}

function LoadedJob({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data: job, error, refetch } = useQuery(jobQuery(id));
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <div className="page">
      <Link to="/people/jobs" className="back">
        <BackIcon /> {t('job.title')}
      </Link>
      <PageHeading title={job === undefined ? t('job.one') : nameJobAction(job.action, t)} />
      {isGone && <Empty>{t('job.gone')}</Empty>}
      {error !== null && !isGone && <FaultAlert error={error} onRetry={() => void refetch()} />}
      {job === undefined && error === null && <Loading />}
      {job !== undefined && <JobFacts job={job} />}
      {job !== undefined && job.failed > 0 && <Failures job={job} />}
    </div>
  );
}

function JobFacts({ job }: { job: Job }) {
  const { t } = useTranslation();
  const [isStopping, setIsStopping] = useState(false);
  return (
    <Panel title={t('job.state')} actions={<StopButton job={job} onClick={() => setIsStopping(true)} />}>
      <p className="panel-text row wrap" role="status">
        <JobState job={job} /> <JobProgress job={job} />
      </p>
      <dl className="fact-list">
        <div>
          <dt>{t('job.filter')}</dt>
          <dd>
            <Link to="/people" search={readPeopleFilters(job.filter)}>
              <FilterText filters={readPeopleFilters(job.filter)} />
            </Link>
          </dd>
        </div>
        <div>
          <dt>{t('activity.actor')}</dt>
          <dd>
            <UserText text={nameActor(job.started_by, t)} />, <Moment at={job.started_at} />
          </dd>
        </div>
        <div>
          <dt>{t('dialog.reason')}</dt>
          <dd>{job.reason === null ? t('facts.none') : <UserText text={job.reason} />}</dd>
        </div>
        {job.days !== null && (
          <div>
            <dt>{t('dialog.days')}</dt>
            <dd>{job.days}</dd>
          </div>
        )}
      </dl>
      {isStopping && <StopDialog job={job} onClose={() => setIsStopping(false)} />}
    </Panel>
  );
}

/** The filters in the words of the list of people. */
function FilterText({ filters }: { filters: PeopleFilters }) {
  const { t, i18n } = useTranslation();
  const tag = toDateTag(i18n.language);
  const {
    search,
    status,
    group,
    source,
    local,
    signed_in_since: signedInSince,
    signed_in_before: signedInBefore,
    never_signed_in: neverSignedIn,
  } = filters;
  const parts = [
    [t('people.search'), search],
    [t('people.status'), status && t(`status.${status}`)],
    [t('people.group'), group],
    [t('people.source'), source ?? (local && t('people.local'))],
    [`${t('people.signed_in')}, ${t('people.signed_in_since')}`, signedInSince && formatDay(signedInSince, tag)],
    [`${t('people.signed_in')}, ${t('people.signed_in_before')}`, signedInBefore && formatDay(signedInBefore, tag)],
    [t('people.signed_in'), neverSignedIn && t('people.never_signed_in')],
  ];
  const text = parts.flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${value}`])).join(' · ');
  return <UserText text={text || t('job.everybody')} />;
}

function StopButton({ job, onClick }: { job: Job; onClick: () => void }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { operator, rights } = useSession();
  const isOwn = job.started_by === `operator:${operator.username}`;
  if (job.state !== 'running' || !isAllowed('jobs.stop') || (!isOwn && !rights.includes('admin'))) return null;
  return (
    <button type="button" className="button" data-action="stop_job" onClick={onClick}>
      {t('job.stop')}
    </button>
  );
}

function StopDialog({ job: { id }, onClose }: { job: Job; onClose(): void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <ReasonDialog
      title={t('job.stop_title')}
      effects={[t('job.stop_effect')]}
      command={{ words: ['job', 'stop', id] }}
      confirm={t('job.stop')}
      isDanger
      run={async (reason) => {
        const call = { params: { path: { job: id } }, headers: toReasonHeader(reason) };
        await unwrap(api.POST('/operator/v1/jobs/{job}/stop', call));
        await client.invalidateQueries({ queryKey: ['job', id] });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function Failures({ job: { id, failed } }: { job: Job }) {
  const { t, i18n } = useTranslation();
  const { cursor } = route.useSearch();
  const { data, error, isPlaceholderData, refetch } = useQuery(jobFailuresQuery(id, cursor, failed));
  const columns = useMemo(
    (): Columns<JobFailure> => [
      { id: 'person', header: t('people.person'), cell: ({ row }) => <FailedPerson failure={row.original} /> },
      {
        id: 'cause',
        header: t('job.cause'),
        cell: ({ row: { original } }) => {
          const key = `fault.${original.error}`;
          return i18n.exists(key) ? t(key as ParseKeys) : original.error;
        },
      },
    ],
    [t, i18n],
  );
  return (
    <Panel title={t('job.failures')}>
      {error !== null && <FaultAlert error={error} onRetry={() => void refetch()} />}
      {data && (
        <DataTable
          label={t('job.failures')}
          columns={columns}
          rows={data.failures}
          toKey={({ account_id: id }) => id}
          isOutdated={isPlaceholderData}
        />
      )}
      {data?.next_cursor !== undefined && (
        <p className="panel-text">
          <Link to="/people/jobs/$job" params={{ job: id }} search={{ cursor: data.next_cursor }} className="button">
            {t('pager.next')}
          </Link>
        </p>
      )}
    </Panel>
  );
}

function FailedPerson({ failure: { account_id: id, username } }: { failure: JobFailure }) {
  return (
    <Link to="/people/$id" params={{ id }}>
      <UserText text={username ?? id} />
    </Link>
  );
}
