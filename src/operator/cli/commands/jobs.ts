/** Starts, shows and stops jobs on many accounts. */
import { formatTime } from '../account-text.js';
import { buildUsageFailure } from '../cli-failure.js';
import type { Command } from '../command.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';
import { formatFacts, formatTable, type Column } from '../table.js';
import type { JobAnswer, JobFailureAnswer } from '../../wire-jobs.js';
import { readParameters } from './filters.js';

const JOB_COLUMNS: readonly Column<JobAnswer>[] = [
  { title: 'ID', value: ({ id }) => id, whole: true },
  { title: 'ACTION', value: ({ action }) => action, whole: true },
  { title: 'STATE', value: ({ state, stop_cause: cause }) => (cause === null ? state : `${state} (${cause})`), whole: true },
  { title: 'DONE', value: ({ done, total }) => `${done} of ${total}`, whole: true },
  { title: 'FAILED', value: ({ failed }) => String(failed), whole: true },
  { title: 'STARTED', value: ({ started_at: time }) => formatTime(time), whole: true },
  { title: 'BY', value: ({ started_by }) => started_by },
  { title: 'FILTER', value: ({ filter }) => new URLSearchParams(filter).toString() },
];

const FAILURE_COLUMNS: readonly Column<JobFailureAnswer>[] = [
  { title: 'USERNAME', value: ({ username }) => username ?? '' },
  { title: 'CAUSE', value: ({ error }) => error, whole: true },
  { title: 'ID', value: ({ account_id: id }) => id, whole: true },
];

const PAGE_OPTIONS = {
  limit: { value: 'NUMBER', about: 'maximum number of entries, up to 200; default: 50' },
  cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
};

export const jobStart: Command = {
  name: 'job start',
  about: 'change many accounts; docs/operating.md lists the actions',
  operands: ['action'],
  options: {
    filter: {
      value: 'NAME=VALUE',
      multiple: true,
      about: 'a parameter of the account list, such as group=Einkauf; may be repeated',
    },
    all: { about: 'all accounts, if there is no --filter' },
    days: { value: '1-90', about: 'days until the deletion, for schedule_deletion' },
    count: {
      value: 'NUMBER',
      about: 'start the job if it affects this number of accounts; without --count, the accounts are only counted',
    },
    ...REASON_OPTION,
  },
  async run({ api, operands, options, print, warn }) {
    const [action = ''] = operands;
    const filter = readParameters(options.texts('filter'));
    if (Object.keys(filter).length === 0 && !options.has('all'))
      throw buildUsageFailure('--filter is required, or --all for all accounts.');
    const count = readNumber(options.text('count'), { name: 'count', min: 0, max: 999_999 });
    const days = readNumber(options.text('days'), { name: 'days', min: 1, max: 90 });
    if (count === undefined) {
      const answer = await api.countJobAccounts({ action, filter });
      print(answer, () => `${answer.is_too_large ? 'More than ' : ''}${formatAccountCount(answer.count)}\n`);
      const advice = answer.is_too_large
        ? `A job can change at most ${answer.most} accounts: narrow --filter.`
        : `To start the job: --count ${answer.count}`;
      warn(`Nothing was changed. ${advice}`);
      return true;
    }
    const job = await api.startJob({ action, filter, count, ...(days === undefined ? {} : { days }) });
    print(job, () => `The job ${job.id} has started: ${formatAccountCount(job.total)}.\n`);
    return true;
  },
};

export const jobList: Command = {
  name: 'job list',
  about: 'show the jobs on many accounts, newest first',
  operands: [],
  options: PAGE_OPTIONS,
  async run({ api, options, terminal, print, warn }) {
    const page = await api.listJobs({ limit: options.text('limit'), cursor: options.text('cursor') });
    print(page, () => (page.jobs.length === 0 ? '' : formatTable(JOB_COLUMNS, page.jobs, terminal)));
    if (page.jobs.length === 0) warn('No job was found.');
    if (page.next_cursor !== undefined) warn(`More jobs: --cursor ${page.next_cursor}`);
    return true;
  },
};

export const jobShow: Command = {
  name: 'job show',
  about: 'show the progress of a job',
  operands: ['id'],
  options: {},
  async run({ api, operands, print }) {
    const job = await api.getJob(operands[0] ?? '');
    print(job, () => formatJob(job));
    return true;
  },
};

export const jobFailures: Command = {
  name: 'job failures',
  about: 'show the accounts that a job could not change, with the cause',
  operands: ['id'],
  options: PAGE_OPTIONS,
  async run({ api, operands, options, terminal, print, warn }) {
    const query = { limit: options.text('limit'), cursor: options.text('cursor') };
    const page = await api.listJobFailures(operands[0] ?? '', query);
    print(page, () => (page.failures.length === 0 ? '' : formatTable(FAILURE_COLUMNS, page.failures, terminal)));
    if (page.failures.length === 0) warn('Nothing failed.');
    if (page.next_cursor !== undefined) warn(`More failures: --cursor ${page.next_cursor}`);
    return true;
  },
};

export const jobStop: Command = {
  name: 'job stop',
  about: 'stop a job; completed changes are not undone',
  operands: ['id'],
  options: REASON_OPTION,
  async run({ api, operands, print }) {
    const job = await api.stopJob(operands[0] ?? '');
    print(job, () => formatJob(job));
    return true;
  },
};

const formatAccountCount = (count: number): string => (count === 1 ? '1 account' : `${count} accounts`);

function formatJob(job: JobAnswer): string {
  const { id, action, state, stop_cause: cause, started_at: startedAt, ended_at: endedAt } = job;
  return formatFacts([
    ['Id', id],
    ['Action', job.days === null ? action : `${action}, in ${job.days === 1 ? '1 day' : `${job.days} days`}`],
    ['Filter', new URLSearchParams(job.filter).toString()],
    ['State', cause === null ? state : `${state} (${cause})`],
    ['Done', String(job.done)],
    ['Failed', String(job.failed)],
    ['Left', String(job.left)],
    ['By', job.started_by],
    ['Reason', job.reason ?? ''],
    ['Started', formatTime(startedAt)],
    ...(endedAt === null ? [] : [['Ended', formatTime(endedAt)] as [string, string]]),
  ]);
}

interface NumberOption {
  name: string;
  min: number;
  max: number;
}

/** @throws CliFailure */
function readNumber(text: string | undefined, { name, min, max }: NumberOption): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw buildUsageFailure(`--${name} must be a whole number from ${min} to ${max}, not ${sanitize(text)}.`);
}
