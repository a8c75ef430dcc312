/**
 * The interface through which the product reports metrics and traces. The default implementation does nothing; `sdk/`
 * is loaded if telemetry is enabled. Each call of `startFoyer` then creates its own object and no global object, because several
 * calls may run in one process.
 */
import type { AttributesOf, CounterName, HistogramName, ObservedName } from './catalogue.js';
import type { SpanAttributes, SpanKind } from './span-catalogue.js';

export interface SpanPlan<Kind extends SpanKind> {
  span: Kind;
  /** A name from a closed set (`span-catalogue.ts`), never with values of a request. */
  name: string;
  attributes?: SpanAttributes<Kind>;
  /** Starts a trace if none is active. Without this option, work outside a trace is not traced. */
  begins?: true;
}

export interface OpenSpan<Kind extends SpanKind> {
  set(attributes: SpanAttributes<Kind>): void;
  /** Replaces the name of the span when more is known about the work. */
  rename(name: string): void;
}

export interface OpenRequest extends OpenSpan<'request'> {
  end(): void;
}

/** The current values of one instrument; null if they are not available. */
export type Reading<Name extends ObservedName> = readonly { value: number; attributes: AttributesOf<Name> }[] | null;

export interface TraceIds {
  trace_id?: string;
  span_id?: string;
}

export abstract class Telemetry {
  abstract readonly isOn: boolean;
  /** @param times how many events to count; 0 creates the counter, so that the first event is visible as an increase */
  abstract count<Name extends CounterName>(name: Name, attributes: AttributesOf<Name>, times?: number): void;
  abstract record<Name extends HistogramName>(name: Name, value: number, attributes: AttributesOf<Name>): void;
  /** @param read called when the metrics are collected, at most once in a few seconds; may be slow or fail */
  abstract observe<Name extends ObservedName>(name: Name, read: () => Reading<Name> | Promise<Reading<Name>>): void;
  /** Runs `work` within a span. A failure is recorded only with the code or the name of the error. */
  abstract runInSpan<Kind extends SpanKind, T>(plan: SpanPlan<Kind>, work: (span: OpenSpan<Kind>) => Promise<T>): Promise<T>;
  /**
   * Begins the span of an incoming request, to which `next` and all work that it starts belong.
   * @param traceparent header of a trusted proxy
   */
  abstract beginRequest(plan: SpanPlan<'request'>, traceparent: string | undefined, next: () => void): OpenRequest;
  /** @returns headers that propagate the trace to a system that may see it */
  abstract buildTraceHeaders(): Readonly<Record<string, string>>;
  /** @returns the ids of the current trace and span, for log lines */
  abstract getTraceIds(): TraceIds;
  /** @returns the function bound to the current span, for later calls */
  abstract bind<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void;
  /** @returns the metrics in the text format of Prometheus; null if scraping is not enabled */
  abstract scrape(): Promise<string> | null;
  /** Sends the remaining data within a time limit. Never throws. */
  abstract stop(): Promise<void>;
}

/** For work that is not traced. */
export const NO_SPAN: OpenRequest = { set: () => undefined, rename: () => undefined, end: () => undefined };
const NO_HEADERS = {};

/** Records nothing. */
export class TelemetryOff extends Telemetry {
  readonly isOn: boolean = false;
  count(): void {}
  record(): void {}
  observe(): void {}
  runInSpan<Kind extends SpanKind, T>(_plan: SpanPlan<Kind>, work: (span: OpenSpan<Kind>) => Promise<T>): Promise<T> {
    return work(NO_SPAN);
  }
  beginRequest(_plan: SpanPlan<'request'>, _traceparent: string | undefined, next: () => void): OpenRequest {
    next();
    return NO_SPAN;
  }
  buildTraceHeaders(): Readonly<Record<string, string>> {
    return NO_HEADERS;
  }
  getTraceIds(): TraceIds {
    return {};
  }
  bind<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
    return work;
  }
  scrape(): null {
    return null;
  }
  async stop(): Promise<void> {}
}

export const TELEMETRY_OFF: Telemetry = new TelemetryOff();
