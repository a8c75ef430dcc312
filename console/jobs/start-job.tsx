/** Starts a job for everybody whom the filters find: the server counts the people, then the operator enters a reason and confirms. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, toReasonHeader, unwrap, type Job } from '../api/calls.js';
import { DaysField } from '../people/action-fields.js';
import { getAction } from '../people/actions.js';
import type { CommandLine } from '../people/command-line.js';
import type { PeopleFilters } from '../people/people-filters.js';
import { useAllowed } from '../session/session-context.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Field } from '../ui/field.js';
import { WarningIcon } from '../ui/icons.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { JOB_ACTIONS } from './job-actions.js';

/** The buttons above the list of people: one starts a job, the other lists the jobs. */
export function JobLinks({ filters }: { filters: PeopleFilters }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="row wrap">
      {isAllowed('jobs.start') && (
        <button type="button" className="button" data-action="start_job" onClick={() => setIsOpen(true)}>
          {t('job.start')}
        </button>
      )}
      {isAllowed('jobs.list') && (
        <Link to="/people/jobs" className="button">
          {t('job.title')}
        </Link>
      )}
      {isOpen && <StartDialog filter={toFilter(filters)} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function toFilter({ cursor: _, ...filters }: PeopleFilters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as Record<string, string>;
}

function StartDialog({ filter, onClose }: { filter: Record<string, string>; onClose(): void }) {
  const { t } = useTranslation();
  const [days, setDays] = useState('14');
  const [isTried, setIsTried] = useState(false);
  const { action, countCall, count, choose } = useCount(filter);
  const start = useStart(filter, onClose);
  const hasDays = action === 'schedule_deletion';
  const isDaysWrong = hasDays && !/^([1-9]|[1-8]\d|90)$/.test(days);
  return (
    <ReasonDialog
      title={t('job.start')}
      effects={action === null ? [] : [t('job.effect_each'), t('job.effect_skipped'), t('job.effect_stop')]}
      command={action === null ? null : toCommand({ action, filter, days: hasDays ? days : undefined })}
      confirm={t('job.confirm')}
      isDanger
      hasFault={() => {
        setIsTried(true);
        return action === null || !count || isDaysWrong;
      }}
      run={(reason) => start({ action, count, reason, days: hasDays ? Number(days) : undefined })}
      onClose={onClose}
    >
      <ActionField action={action} isMissing={isTried && action === null} onChange={choose} />
      <FilterWarning filter={filter} />
      <p role="status" className="job-count">
        {countCall.isPending && t('job.counting')}
        {count !== undefined && <b>{t('job.count', { count })}</b>}
        {countCall.data?.is_too_large && t('job.too_large', { most: countCall.data.most })}
      </p>
      {countCall.error !== null && <FaultAlert error={countCall.error} onRetry={() => choose(action ?? '')} />}
      {hasDays && <DaysField days={days} isWrong={isTried && isDaysWrong} onChange={setDays} />}
    </ReasonDialog>
  );
}

const isEverybody = (filter: Record<string, string>): boolean => Object.keys(filter).length === 0;

/** Warns of filters that find more people than the operator may expect. */
function FilterWarning({ filter }: { filter: Record<string, string> }) {
  const { t } = useTranslation();
  const text = isEverybody(filter) ? 'job.everybody_warning' : 'never_signed_in' in filter ? 'job.never_warning' : null;
  if (text === null) return null;
  return (
    <div className="alert warning">
      <WarningIcon />
      <p>{t(text)}</p>
    </div>
  );
}

/** Counts the people whenever an action is chosen. `count` is undefined until the server has counted them, and if there are too many. */
function useCount(filter: Record<string, string>) {
  const [action, setAction] = useState<Job['action'] | null>(null);
  const countCall = useMutation({
    mutationFn: (newAction: Job['action']) =>
      unwrap(api.POST('/operator/v1/jobs/count', { body: { action: newAction, filter } })),
  });
  const count = countCall.data?.is_too_large === false ? countCall.data.count : undefined;
  const choose = (name: string): void => {
    const newAction = JOB_ACTIONS.find((one) => one === name) ?? null;
    setAction(newAction);
    if (newAction === null) countCall.reset();
    else countCall.mutate(newAction);
  };
  return { action, countCall, count, choose };
}

interface ConfirmedJob {
  action: Job['action'] | null;
  count: number | undefined;
  days: number | undefined;
  reason: string;
}

function useStart(filter: Record<string, string>, onClose: () => void) {
  const navigate = useNavigate();
  const client = useQueryClient();
  return async ({ action, count, days, reason }: ConfirmedJob): Promise<void> => {
    if (action === null || count === undefined) return;
    const body = { action, filter, count, ...(days === undefined ? {} : { days }) };
    const job = await unwrap(api.POST('/operator/v1/jobs', { headers: toReasonHeader(reason), body }));
    await client.invalidateQueries({ queryKey: ['jobs'] });
    onClose();
    await navigate({ to: '/people/jobs/$job', params: { job: job.id } });
  };
}

interface ActionFieldProps {
  action: Job['action'] | null;
  isMissing: boolean;
  onChange(name: string): void;
}

function ActionField({ action, isMissing, onChange }: ActionFieldProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  return (
    <Field label={t('job.action')} error={isMissing ? t('job.action_missing') : undefined}>
      {(wiring) => (
        <select {...wiring} value={action ?? ''} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">{t('job.choose')}</option>
          {JOB_ACTIONS.filter((name) => isAllowed(getAction(name).operation)).map((name) => (
            <option key={name} value={name}>
              {t(`action.${name}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface WantedJob {
  action: Job['action'];
  filter: Record<string, string>;
  days: string | undefined;
}

/** The command counts first: a token has no account that would be left out, so it may find one account more. */
function toCommand({ action, filter, days }: WantedJob): CommandLine {
  const filters = Object.entries(filter).map(([name, value]) => ['filter', `${name}=${value}`] as const);
  return {
    words: ['job', 'start', action],
    options: [...(filters.length === 0 ? [['all'] as const] : filters), ...(days === undefined ? [] : [['days', days] as const])],
  };
}
