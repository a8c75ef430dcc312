/**
 * Queries user sources about the people who are due for a check (`due-source-checks.ts`). Runs about once a minute on every
 * replica, if there are sources.
 */
import { randomInt } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../config/log.token.js';
import { UserSources } from '../sources/user-sources.js';
import { DueSourceChecks } from './identities/due-source-checks.js';

const INTERVAL_MS = 60_000;

@Injectable()
export class SourceCheckWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #currentRun: Promise<void> | undefined;

  constructor(
    private readonly dueChecks: DueSourceChecks,
    private readonly sources: UserSources,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.sources.isEmpty) return;
    // Random delay: replicas that started together should not query the same people.
    this.#timer = setInterval(() => this.#run(), INTERVAL_MS + randomInt(INTERVAL_MS / 3));
    this.#timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#currentRun;
  }

  #run(): void {
    this.#currentRun ??= this.dueChecks
      .run(this.#stop.signal)
      .catch((err: unknown) => this.log.warn({ err }, 'user sources could not be queried about their people; Foyer tries again'))
      .finally(() => (this.#currentRun = undefined));
  }
}
