/**
 * Ends the sessions and grants at Hydra that have ended in Foyer. Foyer's own records already decide whether a remembered login
 * continues, so a change that ends sessions or grants does not fail while Hydra is unreachable: the job is retried with growing
 * delays until it succeeds. Sessions are ended one by one by id, because only then does Hydra notify clients (OpenID Connect
 * Back-Channel Logout); sessions that are not remembered are ended without a notification.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../config/log.token.js';
import { RevocationQueue, type Revocation } from './revocation-queue.port.js';
import { UpstreamError, UpstreamUnavailable } from './hydra.errors.js';
import { HydraPort } from './hydra.port.js';

const BATCH = 10;
/** Concurrent calls for one person. */
const CONCURRENCY = 4;
/** Number of tries in which clients must be notified; in later tries, sessions and grants end without a notification if necessary. */
const NOTIFYING_TRIES = 3;

/** One try of a job. `mustNotify`: whether the try fails if clients cannot be notified; by default, this applies to the first tries. */
type RevocationTry = Revocation & { mustNotify?: boolean };

@Injectable()
export class RevocationRunner {
  constructor(
    private readonly queue: RevocationQueue,
    private readonly hydra: HydraPort,
    @Inject(LOG) private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Performs the jobs of an account, right after the transaction that queued them. Never throws.
   * @returns whether no job remains
   */
  async settle(accountId: string, requestId?: string): Promise<boolean> {
    try {
      const revocations = await this.queue.claimForAccount(accountId);
      const successes = await Promise.all(revocations.map((job) => this.#try(job, requestId)));
      return successes.every(Boolean);
    } catch (error) {
      this.log.warn({ requestId, err: error }, 'the revocation jobs could not be read or stored; Foyer tries again');
      return false;
    }
  }

  /**
   * Performs the jobs of an account before a login is accepted. A job by subject would later end the new session and its tokens
   * too, so no job waits until clients can be notified.
   * @throws UpstreamUnavailable if a job by subject remains
   */
  async settleBeforeLogin(accountId: string, requestId?: string): Promise<void> {
    const revocations = await this.queue.claimForAccount(accountId);
    const failures = await Promise.all(
      revocations.map(async (job) => !(await this.#try({ ...job, mustNotify: false }, requestId)) && job.kind !== 'named'),
    );
    if (failures.some(Boolean))
      throw new UpstreamUnavailable('Hydra did not end the sessions and grants that must end before a login');
  }

  /** Performs due jobs until none remains, one of them fails, or the signal is aborted. */
  async run(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      const revocations = await this.queue.claim(BATCH);
      const successes = await Promise.all(revocations.map((job) => this.#try(job)));
      if (revocations.length < BATCH || !successes.every(Boolean)) return;
    }
  }

  async #try(job: RevocationTry, requestId?: string): Promise<boolean> {
    const { queue, log } = this;
    try {
      await this.#perform(job);
      await queue.finish(job);
      return true;
    } catch (error) {
      const { accountId, tries } = job;
      const reason = error instanceof UpstreamError ? { reason: error.message } : { err: error };
      log.warn({ requestId, account: accountId, tries, ...reason }, 'a revocation job did not succeed; Foyer tries again');
      await queue.postpone(job);
      return false;
    }
  }

  /**
   * `settle` and `settleBeforeLogin` also run jobs that another gateway runs. A call that begins after the other gateway has finished the
   * job could end a session that began since, so the job is read again before each call by subject.
   */
  async #perform(job: RevocationTry): Promise<void> {
    const { subject, kind } = job;
    const { hydra, queue } = this;
    if (kind === 'named') return this.#endById(job.sessionIds);
    await this.#endAllById(job).catch((error: unknown) => this.#continueWithoutNotification(job, error));
    if (await queue.isFinished(job)) return;
    // Ends sessions in which no client received a consent.
    await hydra.endLoginSessions(subject);
    if (kind === 'everything' && !(await queue.isFinished(job))) await hydra.revokeConsents(subject);
  }

  async #endAllById(job: RevocationTry): Promise<void> {
    const knownIds = await this.hydra.listSessionIds(job.subject).catch((error: unknown): string[] => {
      this.#continueWithoutNotification(job, error);
      return [];
    });
    if (await this.queue.isFinished(job)) return;
    await this.#endById([...job.sessionIds, ...knownIds]);
  }

  async #endById(sessionIds: readonly string[]): Promise<void> {
    const waitingIds = [...new Set(sessionIds)];
    const endRemaining = async (): Promise<void> => {
      for (let id = waitingIds.pop(); id !== undefined; id = waitingIds.pop()) await this.hydra.endLoginSession(id);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, endRemaining));
  }

  /** An error, such as an unreadable list of consents to a very large client, must not prevent the revocation. */
  #continueWithoutNotification({ accountId, tries, mustNotify = tries <= NOTIFYING_TRIES }: RevocationTry, error: unknown): void {
    if (mustNotify) throw error;
    this.log.warn(
      { account: accountId, tries, err: error },
      'not every app can be notified; the sessions end without a notification',
    );
  }
}
