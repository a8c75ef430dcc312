/** Shows the event sinks and their deliveries, pauses and resumes sinks, and sends events again. */
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { EventSinks, type SinkDelivery, type SinkOutcome, type SinkState } from '../../accounts/queue/event-sinks.js';
import { defined } from '../../config/defined.js';
import { OPERATOR_API } from '../wire.js';
import type {
  DeliveriesAnswer,
  DeliveryAnswer,
  SinkAnswer,
  SinkChangedAnswer,
  SinkReplayedAnswer,
  SinksAnswer,
} from '../wire-sinks.js';
import { DeliveryListQuery, NoMembers, ReplayBody, ReplayEventBody } from './account-bodies.js';
import { toInstant } from './instant.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';

const EVENT_ID = /^\d{1,15}$/;

@Controller(`${OPERATOR_API}/sinks`)
export class SinksController {
  constructor(private readonly sinks: EventSinks) {}

  /** Lists the event sinks, and counts the events that wait for each. */
  @Get()
  @Operation('sinks.list')
  async list(): Promise<SinksAnswer> {
    return { sinks: (await this.sinks.list()).map(toSinkAnswer) };
  }

  /**
   * Lists the deliveries of a sink, newest event first. Deliveries that no longer wait are kept for 30 days.
   * @throws 400 wrong_type, 404 sink_not_found
   */
  @Get(':sink/deliveries')
  @Operation('sinks.deliveries')
  async deliveries(@Param('sink') sink: string, @Query() { state, cursor, limit }: DeliveryListQuery): Promise<DeliveriesAnswer> {
    const page = await this.sinks.listDeliveries({
      sink,
      ...(state === 'waiting' || state === 'delivered' || state === 'dead' ? { state } : {}),
      ...defined({ cursor }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    });
    if (!page) throw buildNotFound();
    return { deliveries: page.deliveries.map(toDeliveryAnswer), ...defined({ next_cursor: page.nextCursor }) };
  }

  /**
   * Pauses a sink: its events wait.
   * @throws 404 sink_not_found, 409 sink_not_configured
   */
  @Post(':sink/pause')
  @Operation('sinks.pause')
  @HttpCode(200)
  async pause(
    @Param('sink') sink: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<SinkChangedAnswer> {
    return toChangedAnswer(await this.sinks.pause(sink, context));
  }

  /**
   * Resumes a sink that was paused.
   * @throws 404 sink_not_found, 409 sink_not_configured
   */
  @Post(':sink/resume')
  @Operation('sinks.resume')
  @HttpCode(200)
  async resume(
    @Param('sink') sink: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<SinkChangedAnswer> {
    return toChangedAnswer(await this.sinks.resume(sink, context));
  }

  /**
   * Sends the events since a time to a sink again, or for the first time if they were recorded without it. Only events that are still in the
   * audit log and that the sink receives are sent; events that already wait do not change. One call examines 10,000 events; the next call
   * continues at `next_cursor`.
   * @throws 400 missing wrong_type, 404 sink_not_found, 409 sink_not_configured
   */
  @Post(':sink/replay')
  @Operation('sinks.replay')
  @HttpCode(200)
  async replay(
    @Param('sink') sink: string,
    @Body() { since, cursor }: ReplayBody,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<SinkReplayedAnswer> {
    const outcome = await this.sinks.replay(sink, { since: toInstant('since', since), ...defined({ cursor }) }, context);
    if (outcome === 'unknown') throw buildNotFound();
    if (outcome === 'removed') throw buildNotConfigured();
    return { queued: outcome.queued, ...defined({ next_cursor: outcome.nextCursor }) };
  }

  /**
   * Sends one event again, with as many tries as a new event.
   * @throws 400 missing wrong_type, 404 delivery_not_found sink_not_found, 409 sink_not_configured
   */
  @Post(':sink/deliveries/replay')
  @Operation('sinks.replayOne')
  @HttpCode(200)
  async replayOne(
    @Param('sink') sink: string,
    @Body() { event }: ReplayEventBody,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<SinkChangedAnswer> {
    const outcome = EVENT_ID.test(event) ? await this.sinks.replayOne(sink, Number(event), context) : 'unknown-event';
    if (outcome === 'unknown-event') {
      throw new OperatorFault(404, 'delivery_not_found', 'The sink has no such event: it may have been deleted.');
    }
    return toChangedAnswer(outcome);
  }
}

const buildNotFound = () => new OperatorFault(404, 'sink_not_found', 'There is no sink with this name.');
const buildNotConfigured = () =>
  new OperatorFault(409, 'sink_not_configured', 'This sink is no longer configured (EVENT_SINKS).');

function toChangedAnswer(outcome: SinkOutcome): SinkChangedAnswer {
  if (outcome === 'unknown') throw buildNotFound();
  if (outcome === 'removed') throw buildNotConfigured();
  return { changed: outcome === 'changed' };
}

function toSinkAnswer(sink: SinkState): SinkAnswer {
  const { settings } = sink;
  return {
    name: sink.name,
    state: toState(sink),
    kind: settings?.kind ?? null,
    host: settings ? new URL(settings.address).host : null,
    events: [...(settings?.events ?? [])],
    waiting: sink.waiting,
    waiting_since: sink.waitingSince?.toISOString() ?? null,
    dead: sink.dead,
    paused_at: sink.pausedAt?.toISOString() ?? null,
    failing_since: sink.failingSince?.toISOString() ?? null,
    last_at: sink.lastAt?.toISOString() ?? null,
    last_status: sink.lastStatus,
    last_answer: sink.lastAnswer,
  };
}

function toState({ settings, pausedAt, failingSince }: SinkState): SinkAnswer['state'] {
  if (!settings) return 'removed';
  if (pausedAt) return 'paused';
  return failingSince ? 'failing' : 'ok';
}

function toDeliveryAnswer(delivery: SinkDelivery): DeliveryAnswer {
  return {
    event: delivery.event,
    kind: delivery.kind,
    account_id: delivery.accountId,
    state: delivery.state,
    tries: delivery.tries,
    queued_at: delivery.queuedAt.toISOString(),
    tried_at: delivery.triedAt?.toISOString() ?? null,
    status: delivery.status,
    answer: delivery.answer,
  };
}
