/** What happens in the background: expired rows go, in small batches, on every replica at its own moments. */
import { randomInt } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { Logger } from 'pino';
import { Sweeper } from './accounts/sweeper.js';

const EVERY_MS = 10 * 60 * 1000;

export function startHousekeeping(app: INestApplicationContext, log: Logger): { stop(): void } {
  const sweeper = app.get(Sweeper);
  const sweep = (): void => {
    sweeper.sweep().catch((err: unknown) => log.warn({ err }, 'expired rows could not be removed'));
  };
  // Jitter keeps replicas that started together from sweeping together.
  const timer = setInterval(sweep, EVERY_MS + randomInt(EVERY_MS / 2));
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
