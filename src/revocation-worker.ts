/** Starts what carries out late what has to end at the OAuth server; see `hydra/upstream-end.ts`. */
import { randomInt } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { Logger } from 'pino';
import { Revocations } from './hydra/revocations.js';

const EVERY_MS = 15_000;

export function startRevocationWorker(app: Pick<INestApplicationContext, 'get'>, log: Logger): { stop(): Promise<void> } {
  const end = app.get(Revocations);
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= end
      .run()
      .catch((err: unknown) => log.warn({ err }, 'what has to end at the upstream could not be read; it is tried again'))
      .finally(() => (running = undefined));
  };
  run();
  // Jitter keeps replicas that started together from looking together.
  const timer = setInterval(run, EVERY_MS + randomInt(EVERY_MS / 3));
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
