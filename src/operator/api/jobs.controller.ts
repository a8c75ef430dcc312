/** Counts the accounts of a job on many accounts, and starts, shows and stops jobs. */
import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { AccountList } from '../../accounts/account/account-list.js';
import { AccountJobs, MAX_JOB_ACCOUNTS, type AccountJob } from '../../accounts/jobs/account-jobs.js';
import { toOwner } from '../../accounts/operators/operator-identity.js';
import { defined } from '../../config/defined.js';
import { AccountListQuery } from './account-bodies.js';
import { JobBody, JobCountBody, JobListQuery } from './job-bodies.js';
import { toAccountQuery } from './account-query.js';
import { readFilter } from './filter-bodies.js';
import { JOB_OPERATIONS, findJobAction } from './job-actions.js';
import { JobWorker } from './job-worker.js';
import type { OperatorRequest } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';
import { mayDo } from '../operations.js';
import { OPERATOR_API } from '../wire.js';
import type { JobActionName, JobAnswer, JobCountAnswer, JobFailuresAnswer, JobListAnswer } from '../wire-jobs.js';

@Controller(`${OPERATOR_API}/jobs`)
export class JobsController {
  constructor(
    private readonly jobs: AccountJobs,
    private readonly accounts: AccountList,
    private readonly worker: JobWorker,
  ) {}

  /**
   * Counts the accounts that a job would change, and changes nothing.
   * @throws 400 missing wrong_type unknown_member, 403 forbidden, 422 format too_long unknown_action
   */
  @Post('count')
  @Operation('jobs.count')
  @HttpCode(200)
  async count(@Body() body: JobCountBody, @Req() request: OperatorRequest): Promise<JobCountAnswer> {
    requireAction(body.action, request);
    const { query } = await readQuery(body.filter, request);
    const count = await this.accounts.count(query, MAX_JOB_ACCOUNTS + 1);
    return { count: Math.min(count, MAX_JOB_ACCOUNTS), most: MAX_JOB_ACCOUNTS, is_too_large: count > MAX_JOB_ACCOUNTS };
  }

  /**
   * Starts a job on the accounts that match the filter now. Each account is changed as by the call for a single account, except your own,
   * which is never changed.
   * @throws 400 missing wrong_type unknown_member, 403 forbidden, 409 job_running count_changed, 422 format too_long too_many unknown_action
   */
  @Post()
  @Operation('jobs.start')
  @HttpCode(200)
  async start(@Body() body: JobBody, @Req() request: OperatorRequest): Promise<JobAnswer> {
    const action = requireAction(body.action, request);
    if (action === 'schedule_deletion' && body.days === undefined)
      throw new OperatorFault(400, 'missing', 'days is missing; schedule_deletion requires it.', { field: 'days' });
    const { filter, query } = await readQuery(body.filter, request);
    const days = action === 'schedule_deletion' ? (body.days ?? null) : null;
    const outcome = await this.jobs.start({ action, days, filter, query, count: body.count }, request.context);
    switch (outcome.kind) {
      case 'started':
        void this.worker.wake();
        return toJobAnswer(outcome.job);
      case 'running':
        throw new OperatorFault(409, 'job_running', 'You already have a running job: wait until it is done, or stop it.');
      case 'too-many':
        throw new OperatorFault(422, 'too_many', `A job can change at most ${MAX_JOB_ACCOUNTS} accounts: narrow the filter.`);
      case 'count-changed': {
        const message = `The job would now change ${outcome.count} accounts, not ${body.count}: count them again.`;
        throw new OperatorFault(409, 'count_changed', message, { field: 'count' });
      }
    }
  }

  /**
   * Lists jobs of all operators and tokens, newest first. A job is kept for 90 days after its end.
   * @throws 400 wrong_type
   */
  @Get()
  @Operation('jobs.list')
  async list(@Query() { cursor, limit }: JobListQuery): Promise<JobListAnswer> {
    const page = await this.jobs.list(toPage(cursor, limit));
    return { jobs: page.jobs.map(toJobAnswer), ...defined({ next_cursor: page.nextCursor }) };
  }

  /**
   * Shows the progress of a job.
   * @throws 404 job_not_found
   */
  @Get(':job')
  @Operation('jobs.show')
  async show(@Param('job') id: string): Promise<JobAnswer> {
    return toJobAnswer(await this.#get(id));
  }

  /**
   * Lists the accounts that a job could not change, with the cause, in the order in which they were tried.
   * @throws 400 wrong_type, 404 job_not_found
   */
  @Get(':job/failures')
  @Operation('jobs.failures')
  async failures(@Param('job') id: string, @Query() { cursor, limit }: JobListQuery): Promise<JobFailuresAnswer> {
    const { failures, nextCursor } = await this.jobs.listFailures((await this.#get(id)).id, toPage(cursor, limit));
    const answers = failures.map(({ accountId, username, fault }) => ({ account_id: accountId, username, error: fault }));
    return { failures: answers, ...defined({ next_cursor: nextCursor }) };
  }

  /**
   * Stops a job. Accounts that were already changed stay changed. Without the right `admin`, you can stop only your own jobs.
   * @throws 403 forbidden, 404 job_not_found
   */
  @Post(':job/stop')
  @Operation('jobs.stop')
  @HttpCode(200)
  async stop(@Param('job') id: string, @Req() { context, rights = [] }: OperatorRequest): Promise<JobAnswer> {
    const job = await this.#get(id);
    if (job.owner !== toOwner(context) && !rights.includes('admin'))
      throw new OperatorFault(403, 'forbidden', 'Stopping a job of another operator or token requires the right "admin".');
    await this.jobs.stop(job.id, 'operator', context);
    return this.show(id);
  }

  /** @throws OperatorFault 404 */
  async #get(id: string): Promise<AccountJob> {
    const job = /^\d{1,15}$/.test(id) ? await this.jobs.find(Number(id)) : null;
    if (job !== null) return job;
    throw new OperatorFault(404, 'job_not_found', 'There is no job with this id.');
  }
}

/** @throws OperatorFault for an action that does not exist, or for which the rights are missing */
function requireAction(name: string, { rights = [] }: OperatorRequest): JobActionName {
  const action = findJobAction(name);
  if (action === undefined) {
    const message = `There is no such action; the actions are ${Object.keys(JOB_OPERATIONS).join(', ')}.`;
    throw new OperatorFault(422, 'unknown_action', message, { field: 'action' });
  }
  if (mayDo(rights, JOB_OPERATIONS[action])) return action;
  throw new OperatorFault(403, 'forbidden', `A job with this action requires the rights for ${JOB_OPERATIONS[action]}.`);
}

/** @returns the filter, and the query of the accounts that it finds, without the account of the operator */
async function readQuery(members: object, { context }: OperatorRequest) {
  const filter = await readFilter('people', members);
  const query = toAccountQuery(Object.assign(new AccountListQuery(), filter));
  return { filter, query: { ...query, ...defined({ exceptId: context.operatorAccount }) } };
}

function toPage(cursor: string | undefined, limit: string | undefined): { cursor?: string; limit?: number } {
  return { ...defined({ cursor }), ...(limit === undefined ? {} : { limit: Number(limit) }) };
}

function toJobAnswer(job: AccountJob): JobAnswer {
  const { id, action, days, filter, state, stopCause, total, done, failed, createdAt, endedAt, auditContext } = job;
  return {
    id: String(id),
    // Another version of Foyer may have stored an action that this version does not know.
    action: action as JobActionName,
    ...{ days, filter, state, stop_cause: stopCause },
    started_by: auditContext.operator === undefined ? 'operator' : `operator:${auditContext.operator}`,
    reason: auditContext.reason ?? null,
    ...{ total, done, failed, left: total - done - failed },
    started_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}
