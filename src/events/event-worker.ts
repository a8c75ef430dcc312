/** Registers the configured sinks in the database, starts a worker for each, wakes the workers for new events, and stops them. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { EventDeliveries } from '../accounts/queue/event-deliveries.js';
import { AUDIT_KINDS } from '../accounts/audit/kinds.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { Clock } from '../config/clock.js';
import { LOG } from '../config/log.token.js';
import { wantsKind } from '../config/sink-settings.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { createTransport } from './create-transport.js';
import { SinkWorker } from './sink-worker.js';

/** The interval is far shorter than the time after which the deliveries of a removed sink are deleted. */
const REGISTER_MS = 10 * 60_000;

@Injectable()
export class EventWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #workers: ReadonlyMap<string, SinkWorker>;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly deliveries: EventDeliveries,
    @Inject(CONFIG) private readonly config: Pick<Config, 'eventSinks' | 'publicUrl'>,
    @Inject(LOG) private readonly log: Logger,
    telemetry: Telemetry,
    clock: Clock,
  ) {
    const workers = config.eventSinks.map((sink) => {
      const transport = createTransport(sink, { source: config.publicUrl, now: () => clock.now() });
      return [sink.name, new SinkWorker({ sink, transport, deliveries, log, telemetry })] as const;
    });
    this.#workers = new Map(workers);
  }

  onApplicationBootstrap(): void {
    if (this.#workers.size === 0) return;
    this.#warnOfUnknownKinds();
    this.#register();
    this.#timer = setInterval(() => this.#register(), REGISTER_MS);
    this.#timer.unref();
    this.deliveries.onWritten((sinks) => sinks.forEach((name) => this.wakeSoon(name)));
    for (const worker of this.#workers.values()) worker.start();
  }

  /** Wakes the worker of a sink, if this gateway has it in its settings. */
  wakeSoon(sink: string): void {
    this.#workers.get(sink)?.wakeSoon();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
  }

  #register(): void {
    this.deliveries
      .register([...this.#workers.keys()])
      .catch((err: unknown) => this.log.warn({ err }, 'the names of the event sinks could not be stored; Foyer will try again'));
  }

  /** An unknown kind is only a warning, because an older or newer version may support it. */
  #warnOfUnknownKinds(): void {
    for (const { name, events } of this.config.eventSinks) {
      for (const pattern of events) {
        if (Object.keys(AUDIT_KINDS).some((kind) => wantsKind({ events: [pattern] }, kind))) continue;
        this.log.warn({ sink: name, pattern }, 'EVENT_SINKS: no kind of event matches this pattern');
      }
    }
  }
}
