/**
 * Delivers the events of one sink, for several accounts at the same time. While the sink is down, the worker tries one event at a time and
 * waits longer after each try (exponential backoff), so that an outage uses up few tries. Each sink has its own worker, so that a slow
 * sink does not delay the others.
 */
import { randomInt } from 'node:crypto';
import type { Logger } from 'pino';
import {
  MAX_DELIVERY_TRIES,
  type ClaimedDelivery,
  type EventDeliveries,
  type SinkHealth,
} from '../accounts/queue/event-deliveries.js';
import type { SinkSettings } from '../config/sink-settings.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { toSinkEvent } from './sink-event.js';
import type { DeliveryAnswer, Transport } from './transport.js';

const INTERVAL_MS = 5000;
/** The worker waits for this time, so that it claims deliveries together that become due at nearly the same time. */
const WAKE_DELAY_MS = 50;
const MAX_AT_ONCE = 8;
/**
 * After this many failures in a row, the sink is regarded as down, because one event is unlikely to be the cause. After as many refusals
 * without a delivery between them, operators see the sink as failing.
 */
const FAILURE_THRESHOLD = 3;
const MAX_BACKOFF_MS = 60_000;
/** How often a busy worker sets aside deliveries that have to wait for earlier ones. */
const SET_ASIDE_MS = 1000;
/** How often the last answer is stored while nothing changes. */
const STATE_MS = 10_000;
/** How long a shutdown waits for events that are being delivered. The leases of unfinished deliveries expire. */
const STOP_TIMEOUT_MS = 5000;

interface SinkWorkerParts {
  sink: Pick<SinkSettings, 'name' | 'person'>;
  transport: Transport;
  deliveries: EventDeliveries;
  log: Logger;
  telemetry: Telemetry;
}

interface Round {
  deliveries: Set<Promise<void>>;
  /** Becomes false if the sink is down after a claim, or if the database does not answer. */
  mayClaim: boolean;
  errors: unknown[];
}

export class SinkWorker {
  /** Time after which the queue is checked again without a wake; up to a third longer, and much longer while the sink is down. */
  intervalMs = INTERVAL_MS;
  #timer: NodeJS.Timeout | undefined;
  #dueAtMs = Infinity;
  #backoffUntilMs = 0;
  #round: Promise<void> | undefined;
  #isStopped = true;
  #failures = 0;
  #refusals = 0;
  #storedState: { atMs: number; state: SinkHealth; status: string } | undefined;
  #backoffs = 0;
  #setAsideAtMs = 0;
  /** Whether the worker was woken, or another check was due, since the last claim began. */
  #isWoken = false;
  #endWait: () => void = () => undefined;

  constructor(private readonly parts: SinkWorkerParts) {}

  start(): void {
    this.#isStopped = false;
    this.#wakeIn(this.intervalMs);
  }

  /** Wakes the worker for deliveries that have just become due. */
  wakeSoon(): void {
    if (!this.#isStopped) this.#wakeIn(WAKE_DELAY_MS);
  }

  /** Delivers no further event, waits briefly for the current ones and closes the connections. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#endWait();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, STOP_TIMEOUT_MS)));
    await Promise.race([this.#round, timeout]).finally(() => clearTimeout(timer));
    await this.parts.transport.close();
  }

  /** Delivers due events until none is left, the sink is down, the database does not answer or the worker stops. Never throws. */
  async deliver(): Promise<void> {
    const { name } = this.parts.sink;
    const round: Round = { deliveries: new Set(), mayClaim: true, errors: [] };
    try {
      let hasRun = true;
      // The end of a delivery frees a slot, and may make the next event of its account due.
      while (round.deliveries.size > 0 || (round.mayClaim && (hasRun || this.#isWoken))) {
        const wake = this.#waitForWake();
        const hasBegun = await this.#claimFor(round);
        const isRunning = round.deliveries.size > 0;
        // Deliveries may end while the claim sets others aside.
        hasRun = hasBegun || isRunning;
        if (isRunning) await Promise.race([...round.deliveries, wake]);
        if (this.#isDown()) round.mayClaim = false;
      }
    } catch (error) {
      round.errors.push(error);
    }
    await Promise.all(round.deliveries);
    if (round.errors.length === 0) return;
    this.parts.log.warn({ sink: name, err: round.errors[0] }, 'could not read or update the deliveries; Foyer will try again');
  }

  #isDown(): boolean {
    return this.#failures >= FAILURE_THRESHOLD;
  }

  /** Resolves when, after this call, the worker is woken, another check is due or the worker stops. */
  #waitForWake(): Promise<void> {
    this.#isWoken = false;
    return new Promise((resolve) => (this.#endWait = resolve));
  }

  /**
   * Begins as many deliveries as may run at the same time; for a sink that is down, one. Deliveries that wait for an earlier event of their
   * account are set aside when nothing else can be claimed, and at regular intervals, so that claims do not have to skip them.
   * @returns whether a delivery began
   */
  async #claimFor(round: Round): Promise<boolean> {
    const { deliveries, sink } = this.parts;
    let hasBegun = false;
    while (round.mayClaim && !this.#isStopped) {
      const freeSlots = Math.max((this.#isDown() ? 1 : MAX_AT_ONCE) - round.deliveries.size, 0);
      const claimedDeliveries = freeSlots > 0 ? await deliveries.claim(sink.name, freeSlots) : [];
      for (const delivery of claimedDeliveries) this.#begin(delivery, round);
      hasBegun ||= claimedDeliveries.length > 0;
      if (claimedDeliveries.length === freeSlots && performance.now() < this.#setAsideAtMs) break;
      if (await deliveries.setAside(sink.name)) continue;
      this.#setAsideAtMs = performance.now() + SET_ASIDE_MS;
      break;
    }
    return hasBegun;
  }

  #begin(delivery: ClaimedDelivery, round: Round): void {
    const work: Promise<void> = this.#deliverOne(delivery)
      .catch((error: unknown) => {
        round.errors.push(error);
        round.mayClaim = false;
      })
      .finally(() => round.deliveries.delete(work));
    round.deliveries.add(work);
  }

  async #deliverOne(delivery: ClaimedDelivery): Promise<void> {
    const { deliveries, transport, sink, telemetry, log } = this.parts;
    const { event, tries } = delivery;
    if (!event) return deliveries.markDead(delivery, { status: 'the event was deleted', answer: '' });
    // The last permitted try has no result.
    if (tries > MAX_DELIVERY_TRIES) return deliveries.markDead(delivery, { status: 'no result', answer: '' });
    const answer = await transport.deliver(toSinkEvent(event, sink.person));
    const result = { status: answer.status, answer: answer.body };
    this.#count(answer);
    telemetry.count('foyer.sink.deliveries', {
      'foyer.sink': sink.name,
      'foyer.sink.result': answer.isDelivered ? 'delivered' : tries < MAX_DELIVERY_TRIES ? 'failed' : 'dead',
    });
    if (answer.isDelivered) await deliveries.markDelivered(delivery, result);
    else {
      log.warn(
        { sink: sink.name, event: event.entry.seq, kind: event.entry.kind, tries, status: answer.status },
        'an event was not delivered',
      );
      if (tries < MAX_DELIVERY_TRIES) await deliveries.postpone(delivery, result, answer.retryAfterSeconds);
      else await deliveries.markDead(delivery, result);
    }
    await this.#storeState(answer);
  }

  /** A sink that refuses an event is not down: it may accept other events. */
  #count({ isDelivered, isRefused }: DeliveryAnswer): void {
    this.#failures = isDelivered || isRefused ? 0 : this.#failures + 1;
    if (isDelivered) this.#refusals = 0;
    if (isRefused) this.#refusals += 1;
  }

  async #storeState({ isDelivered, status, body }: DeliveryAnswer): Promise<void> {
    // A sink that accepts no event is shown to operators as failing, whatever it answers.
    const hasFailed = this.#isDown() || this.#refusals >= FAILURE_THRESHOLD;
    const state = isDelivered ? 'works' : hasFailed ? 'fails' : 'unclear';
    const nowMs = performance.now();
    const storedState = this.#storedState;
    if (storedState && storedState.state === state && storedState.status === status && nowMs - storedState.atMs < STATE_MS)
      return;
    this.#storedState = { atMs: nowMs, state, status };
    await this.parts.deliveries.noteState(this.parts.sink.name, state, { status, answer: body });
  }

  #wakeIn(ms: number): void {
    const dueAtMs = Math.max(performance.now() + ms, this.#backoffUntilMs);
    if (dueAtMs >= this.#dueAtMs) return;
    clearTimeout(this.#timer);
    this.#dueAtMs = dueAtMs;
    this.#timer = setTimeout(() => this.#wake(), Math.ceil(dueAtMs - performance.now()));
    this.#timer.unref();
  }

  #wake(): void {
    this.#dueAtMs = Infinity;
    if (this.#round) {
      this.#isWoken = true;
      this.#endWait();
      this.#wakeIn(this.intervalMs);
      return;
    }
    this.#round = (this.#isStopped ? Promise.resolve() : this.deliver()).finally(() => {
      this.#round = undefined;
      this.#backoffs = this.#isDown() ? this.#backoffs + 1 : 0;
      this.#backoffUntilMs = this.#backoffs === 0 ? 0 : performance.now() + Math.min(500 * 2 ** this.#backoffs, MAX_BACKOFF_MS);
      if (!this.#isStopped) this.#wakeIn(this.intervalMs + randomInt(Math.ceil(this.intervalMs / 3)));
    });
  }
}
