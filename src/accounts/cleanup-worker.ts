/**
 * Deletes the accounts whose deletion is due, closes expired approvals, and deletes expired applications and other expired rows. Runs
 * at regular intervals on every replica independently.
 */
import { randomInt } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../config/log.token.js';
import { SignUpApplications } from './changes/sign-up-applications.js';
import { Cleanup } from './cleanup.js';
import { OperatorApprovals } from './operators/operator-approvals.js';
import { DueDeletions } from './due-deletions.js';

const INTERVAL_MS = 10 * 60 * 1000;

@Injectable()
export class CleanupWorker implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly cleanup: Cleanup,
    private readonly deletions: DueDeletions,
    private readonly approvals: OperatorApprovals,
    private readonly applications: SignUpApplications,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    // Random delay: replicas that started together should not run at the same time.
    this.#timer = setInterval(() => this.#run(), INTERVAL_MS + randomInt(INTERVAL_MS / 2));
    this.#timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  #run(): void {
    this.deletions
      .run()
      .catch((err: unknown) => this.log.warn({ err }, 'accounts that are due for deletion could not be deleted'));
    this.approvals.expire().catch((err: unknown) => this.log.warn({ err }, 'expired approvals could not be closed'));
    this.applications.expire().catch((err: unknown) => this.log.warn({ err }, 'expired sign-ups could not be deleted'));
    this.cleanup.deleteExpired().catch((err: unknown) => this.log.warn({ err }, 'expired rows could not be removed'));
  }
}
