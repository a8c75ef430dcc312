/**
 * Runs jobs on many accounts, right after a job was started here and at regular intervals. Any number of workers may run; each job is
 * leased to one worker at a time. The rights are checked again before every part of a job.
 */
import { randomInt } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccountJobs, type AccountJob } from '../../accounts/jobs/account-jobs.js';
import { LOG } from '../../config/log.token.js';
import { mayDo } from '../operations.js';
import { JOB_OPERATIONS, JobActions, findJobAction } from './job-actions.js';

const INTERVAL_MS = 6000;
/** The number of accounts after which the rights are checked again and another job may continue. */
const PART_SIZE = 20;
/** The time after which a part ends: before the end of the lease, even while Hydra is slow. */
const PART_MS = 60_000;

@Injectable()
export class JobWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #currentRun: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    private readonly jobs: AccountJobs,
    private readonly actions: JobActions,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    // Random delay: replicas that started together should not run at the same time.
    this.#timer = setInterval(() => void this.wake(), INTERVAL_MS + randomInt(INTERVAL_MS / 3));
    this.#timer.unref();
  }

  /** Finishes the account that is being changed. Another worker continues the job. */
  async onApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    this.pause();
    await this.#currentRun;
  }

  /** Stops the timer: from now on, jobs run only when `wake` is called. */
  pause(): void {
    clearInterval(this.#timer);
  }

  /** Runs due jobs until none is left; never throws. */
  wake(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    this.#currentRun ??= this.#run()
      .catch((err: unknown) => this.log.warn({ err }, 'jobs on many accounts could not be run; Foyer will try again'))
      .finally(() => (this.#currentRun = undefined));
    return this.#currentRun;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const claim = await this.jobs.claim();
      if (claim === null) return;
      if (await this.#runPart(claim.job)) await this.jobs.finish(claim.job);
      else await this.jobs.giveBack(claim);
    }
  }

  /** @returns whether no account is left to change: all were tried, or an operator has stopped the job; false if the rights are missing */
  async #runPart(job: AccountJob): Promise<boolean> {
    const action = findJobAction(job.action);
    const rights = await this.actions.findRights(job);
    if (action === undefined || !mayDo(rights, 'jobs.start') || !mayDo(rights, JOB_OPERATIONS[action])) {
      await this.jobs.stop(job.id, 'rights', { actor: 'system', job: job.id });
      return false;
    }
    const deadlineMs = performance.now() + PART_MS;
    for (let count = 0; count < PART_SIZE && performance.now() < deadlineMs && !this.#isStopped; count++) {
      const item = await this.jobs.beginItem(job.id);
      if (item === null) return true;
      const fault = await this.actions.run(job, item.accountId, rights);
      await this.jobs.finishItem(job.id, item.ordinal, fault);
    }
    return false;
  }
}
