/** Telemetry that keeps the statements and the calls to Hydra of each request to the gateway. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TelemetryOff, type OpenRequest, type OpenSpan, type SpanPlan } from '../../src/telemetry/telemetry.js';
import type { SpanKind } from '../../src/telemetry/span-catalogue.js';

export interface RequestWork {
  /** Method and route. */
  request: string;
  /** Names of the statements, one for each exchange with the database, including `begin` and `commit`. */
  statements: string[];
  calls: string[];
}

export class CountedWork extends TelemetryOff {
  override readonly isOn = true;
  readonly #current = new AsyncLocalStorage<RequestWork>();
  #done: RequestWork[] = [];

  /** Returns the work of the requests since the last call, in the order in which they began. */
  take(): RequestWork[] {
    return this.#done.splice(0);
  }

  override runInSpan<Kind extends SpanKind, T>(plan: SpanPlan<Kind>, work: (span: OpenSpan<Kind>) => Promise<T>): Promise<T> {
    const request = this.#current.getStore();
    if (plan.span === 'statement') request?.statements.push(plan.name);
    if (plan.span === 'call') request?.calls.push(plan.name.replace('/admin/oauth2/auth/', ''));
    return work({ set: () => undefined, rename: () => undefined });
  }

  override beginRequest({ name }: SpanPlan<'request'>, _traceparent: string | undefined, next: () => void): OpenRequest {
    const request: RequestWork = { request: name, statements: [], calls: [] };
    this.#done.push(request);
    this.#current.run(request, next);
    return { set: () => undefined, rename: (full) => void (request.request = full), end: () => undefined };
  }
}
