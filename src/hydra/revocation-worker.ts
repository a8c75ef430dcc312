/** Runs due revocation jobs (`revocations.ts`), at start and at regular intervals. */
import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../config/log.token.js';
import { Revocations } from './revocations.js';

const EVERY_MS = 15_000;

@Injectable()
export class RevocationWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly revocations: Revocations,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.#run();
    // Random delay: replicas that started together should not run at the same time.
    this.#timer = setInterval(() => this.#run(), EVERY_MS + randomInt(EVERY_MS / 3));
    this.#timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #run(): void {
    this.#running ??= this.revocations
      .run()
      .catch((err: unknown) => {
        this.log.warn({ err }, 'what has to end at the upstream could not be read; it is tried again');
      })
      .finally(() => (this.#running = undefined));
  }
}
