/**
 * Gauges of work: password hashes that run or wait; attempts, mails and revocation jobs that wait; deliveries to event sinks that
 * wait or are dead. A gauge is read on demand, and a reading may fail. The counters of rare events also start here.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ObservedName } from '../telemetry/catalogue.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { Attempts } from './limits/attempts.js';
import { PasswordHasher } from './password/hasher.js';
import { EventSinks, type SinkState } from './queue/event-sinks.js';
import { OutboxStatistics } from './queue/outbox-statistics.js';
import { RevocationJobs } from './queue/revocation-jobs.js';

/** Rare events that alerts watch. Their counters start at 0, so that the first event is seen as an increase. */
const RARE_EVENTS = [
  ['token.reused', 'person'],
  ['mail.abandoned', 'system'],
] as const;

@Injectable()
export class QueueGauges implements OnModuleInit {
  constructor(
    private readonly telemetry: Telemetry,
    private readonly hasher: PasswordHasher,
    private readonly attempts: Attempts,
    private readonly outbox: OutboxStatistics,
    private readonly revocations: RevocationJobs,
    private readonly sinks: EventSinks,
  ) {}

  onModuleInit(): void {
    const { telemetry, hasher, attempts } = this;
    for (const [kind, actor] of RARE_EVENTS) {
      telemetry.count('foyer.events', { 'foyer.event.kind': kind, 'foyer.actor': actor }, 0);
    }
    const readings: Partial<Record<ObservedName, () => number>> = {
      'foyer.hash.running': () => hasher.load.runningCount,
      'foyer.hash.waiting': () => hasher.load.waitingCount,
      'foyer.hash.waiting.max': () => hasher.load.maxWaiting,
      'foyer.login.waiting': () => attempts.waitingCount,
    };
    for (const [name, read] of Object.entries(readings)) {
      telemetry.observe(name as 'foyer.hash.running', () => [{ value: read(), attributes: {} }]);
    }
    this.#observeMail();
    this.#observeRevocations();
    this.#observeSinks();
  }

  #observeMail(): void {
    const { telemetry, outbox } = this;
    telemetry.observe('foyer.mail.waiting', async () => {
      const { due, later } = await outbox.count();
      return [
        { value: due, attributes: { 'foyer.mail.state': 'due' as const } },
        { value: later, attributes: { 'foyer.mail.state': 'later' as const } },
      ];
    });
    telemetry.observe('foyer.mail.oldest.age', async () => [{ value: (await outbox.count()).oldestSeconds, attributes: {} }]);
  }

  #observeRevocations(): void {
    const { telemetry, revocations } = this;
    telemetry.observe('foyer.revocation.jobs.waiting', async () => [
      { value: (await revocations.count()).waiting, attributes: {} },
    ]);
    telemetry.observe('foyer.revocation.jobs.oldest.age', async () => [
      { value: (await revocations.count()).oldestSeconds, attributes: {} },
    ]);
  }

  #observeSinks(): void {
    const observe = (
      name: 'foyer.sink.waiting' | 'foyer.sink.dead' | 'foyer.sink.oldest.age',
      measure: (sink: SinkState) => number,
    ): void =>
      this.telemetry.observe(name, async () =>
        (await this.sinks.measure()).map((sink) => ({ value: measure(sink), attributes: { 'foyer.sink': sink.name } })),
      );
    observe('foyer.sink.waiting', ({ waiting }) => waiting);
    observe('foyer.sink.dead', ({ dead }) => dead);
    observe('foyer.sink.oldest.age', ({ waitingSeconds }) => waitingSeconds);
  }
}
