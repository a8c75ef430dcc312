import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { EventWorker } from './event-worker.js';

/** Delivers audit events to the sinks of the settings. Without sinks there is no worker. */
@Module({})
export class EventsModule {
  static register({ eventSinks }: Pick<Config, 'eventSinks'>): DynamicModule {
    return { module: EventsModule, ...(eventSinks.length > 0 ? { providers: [EventWorker] } : {}) };
  }
}
