/** Starts what sends mail, over the outbox of the application; without a server nothing starts and mails wait. */
import type { INestApplicationContext } from '@nestjs/common';
import { OutboxClaims } from './accounts/queue/outbox-claims.js';
import { Outbox } from './accounts/queue/outbox.js';
import type { Config } from './config/config.js';
import type { Observers } from './gateway/mount-gateway.js';
import { OutboxWorker } from './mail/outbox-worker.js';
import { SmtpCarrier } from './mail/smtp-carrier.js';

export function startMailDelivery(
  app: Pick<INestApplicationContext, 'get'>,
  config: Config,
  observers: Pick<Observers, 'log'> & Partial<Observers>,
): { stop(): Promise<void> } {
  const { server, from } = config.mail;
  if (!server) return { stop: () => Promise.resolve() };
  const worker = new OutboxWorker({ queue: app.get(OutboxClaims), carrier: new SmtpCarrier(server, from), config, ...observers });
  app.get(Outbox).whenQueued(() => worker.nudge());
  worker.start();
  return { stop: () => worker.stop() };
}
