/**
 * The interface through which the product reports metrics and traces. The default implementation does nothing; `sdk/`
 * is loaded if telemetry is enabled. One object per installation, nothing global, because several installations may
 * run in one process.
 */
import type { AttributesOf, CounterName, HistogramName, ObservedName } from './catalogue.js';
import type { SpanAttributes, SpanKind } from './span-catalogue.js';

export interface SpanPlan<Kind extends SpanKind> {
  span: Kind;
  /** From a closed set, as in `catalogue.ts`; never values of a request. */
  name: string;
  attributes?: SpanAttributes<Kind>;
  /** Starts a trace if none is active; otherwise such work is not traced. */
  begins?: true;
}

export interface OpenSpan<Kind extends SpanKind> {
  set(attributes: SpanAttributes<Kind>): void;
  /** Replaces the name when more is known. */
  rename(name: string): void;
}

export interface OpenRequest extends OpenSpan<'request'> {
  end(): void;
}

/** Current values of one instrument; null if they are not available. */
export type Reading<Name extends ObservedName> = readonly { value: number; attributes: AttributesOf<Name> }[] | null;

export interface TraceIds {
  trace_id?: string;
  span_id?: string;
}

export abstract class Telemetry {
  abstract readonly isOn: boolean;
  /** @param times 0 creates the counter before the first event, so that the first event is visible as an increase */
  abstract count<Name extends CounterName>(name: Name, attributes: AttributesOf<Name>, times?: number): void;
  abstract record<Name extends HistogramName>(name: Name, value: number, attributes: AttributesOf<Name>): void;
  /** @param read called on collection; it may be slow or fail */
  abstract observe<Name extends ObservedName>(name: Name, read: () => Reading<Name> | Promise<Reading<Name>>): void;
  /** Runs the work within a span. A failure is recorded by the error's name only. */
  abstract span<Kind extends SpanKind, T>(plan: SpanPlan<Kind>, work: (span: OpenSpan<Kind>) => Promise<T>): Promise<T>;
  /**
   * An incoming request: `next` and all work that it starts belong to it until `end`.
   * @param traceparent from a trusted proxy
   */
  abstract request(plan: SpanPlan<'request'>, traceparent: string | undefined, next: () => void): OpenRequest;
  /** Headers that propagate the trace, for systems that may see it. */
  abstract propagation(): Readonly<Record<string, string>>;
  /** For log lines. */
  abstract ids(): TraceIds;
  /** Binds a function to the current context, for later calls. */
  abstract bound<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void;
  /** Prometheus' text format; null if it is not enabled. */
  abstract scrape(): Promise<string> | null;
  /** Sends the remaining data within a time limit. Never throws. */
  abstract stop(): Promise<void>;
}

const NOTHING: OpenRequest = { set: () => undefined, rename: () => undefined, end: () => undefined };
const NO_HEADERS = {};

/** Does nothing. */
export class TelemetryOff extends Telemetry {
  readonly isOn: boolean = false;
  count(): void {}
  record(): void {}
  observe(): void {}
  span<Kind extends SpanKind, T>(_plan: SpanPlan<Kind>, work: (span: OpenSpan<Kind>) => Promise<T>): Promise<T> {
    return work(NOTHING);
  }
  request(_plan: SpanPlan<'request'>, _traceparent: string | undefined, next: () => void): OpenRequest {
    next();
    return NOTHING;
  }
  propagation(): Readonly<Record<string, string>> {
    return NO_HEADERS;
  }
  ids(): TraceIds {
    return {};
  }
  bound<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
    return work;
  }
  scrape(): null {
    return null;
  }
  async stop(): Promise<void> {}
}

export const TELEMETRY_OFF: Telemetry = new TelemetryOff();
