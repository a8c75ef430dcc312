/** Runs due revocation jobs (`revocation-runner.ts`), at start and at regular intervals. */
import { randomInt } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../config/log.token.js';
import { RevocationRunner } from './revocation-runner.js';

const INTERVAL_MS = 15_000;

@Injectable()
export class RevocationWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #currentRun: Promise<void> | undefined;

  constructor(
    private readonly revocations: RevocationRunner,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.#run();
    // Random interval: replicas that started together should not always run at the same time.
    this.#timer = setInterval(() => this.#run(), INTERVAL_MS + randomInt(INTERVAL_MS / 3));
    this.#timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#currentRun;
  }

  #run(): void {
    this.#currentRun ??= this.revocations
      .run(this.#stop.signal)
      .catch((err: unknown) => {
        this.log.warn({ err }, 'the revocation jobs could not be read or stored; Foyer tries again');
      })
      .finally(() => (this.#currentRun = undefined));
  }
}
