/** What happens in the background: expired rows go, in small batches, on every replica at its own moments; kept secrets follow a rotation. */
import { randomInt } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { Logger } from 'pino';
import { AuditLog } from './accounts/audit/audit-log.js';
import { SeedResealer } from './accounts/secrets/seed-resealer.js';
import { Cleanup } from './accounts/cleanup.js';

const EVERY_MS = 10 * 60 * 1000;

export function startHousekeeping(app: INestApplicationContext, log: Logger): { stop(): void } {
  const cleanup = app.get(Cleanup);
  const sweep = (): void => {
    cleanup.sweep().catch((err: unknown) => log.warn({ err }, 'expired rows could not be removed'));
  };
  reseal(app, log).catch((err: unknown) => log.warn({ err }, 'seeds could not be sealed anew'));
  // Jitter keeps replicas that started together from sweeping together.
  const timer = setInterval(sweep, EVERY_MS + randomInt(EVERY_MS / 2));
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

async function reseal(app: INestApplicationContext, log: Logger): Promise<void> {
  const { resealed, lost } = await app.get(SeedResealer).reseal();
  if (resealed + lost > 0) {
    await app.get(AuditLog).record({ kind: 'secrets.rotated', actor: 'system', detail: { resealed, lost } });
  }
  if (resealed > 0) log.info({ resealed }, 'seeds are sealed with the newest secret');
  if (lost > 0) log.error({ lost }, 'seeds are sealed with a secret that SECRETS_SYSTEM does not list: put it back');
}
