/**
 * Closes the listeners between Nest's two shutdown steps: after `onModuleDestroy`, and before the workers await their running work
 * (`onApplicationShutdown`).
 */
import type { Server } from 'node:http';
import { Inject, Injectable, type BeforeApplicationShutdown, type INestApplication } from '@nestjs/common';
import { ListenerAdapter } from './listener.adapter.js';

export const LISTENERS = Symbol('Listeners');

@Injectable()
export class CloseListeners implements BeforeApplicationShutdown {
  constructor(@Inject(LISTENERS) private readonly listeners: readonly INestApplication<Server>[]) {}

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.listeners.map(close));
  }
}

/** Running requests are finished; connections without a request are closed, because keep-alive would delay the shutdown. */
async function close(app: INestApplication<Server>): Promise<void> {
  const adapter = ListenerAdapter.get(app);
  const timer = setInterval(() => adapter.closeUnusedConnections(), 100);
  try {
    await app.close();
  } finally {
    clearInterval(timer);
  }
}
