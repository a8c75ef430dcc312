/**
 * Closes the listeners between the two steps in which Nest stops the workers: what the clock begins has stopped
 * (`onModuleDestroy`), what is under way is waited for afterwards (`onApplicationShutdown`).
 */
import type { Server } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, INestApplication } from '@nestjs/common';

export const LISTENERS = Symbol('Listeners');

@Injectable()
export class CloseListeners implements BeforeApplicationShutdown {
  constructor(@Inject(LISTENERS) private readonly listeners: readonly INestApplication<Server>[]) {}

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.listeners.map(close));
  }
}

/** Requests that run are finished; connections that only wait are cut, or a browser's keep-alive would hold the process. */
async function close(app: INestApplication<Server>): Promise<void> {
  const server = app.getHttpServer();
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
  }
}
