/**
 * How the product says what it does, to whoever operates it. Off, which is the default, is an object that does nothing;
 * on is `sdk/`, loaded only then. One object for each installation, nothing global: several may run in one process.
 */
import type { AttributesOf, CounterName, HistogramName, ObservedName } from './catalogue.js';
import type { SpanAttributes, SpanKind } from './span-catalogue.js';

export interface SpanPlan<Kind extends SpanKind> {
  span: Kind;
  /** From a closed set, as `catalogue.ts` says; never anything of a request. */
  name: string;
  attributes?: SpanAttributes<Kind>;
  /** Begins a trace where none is open; otherwise such work is not traced. */
  begins?: true;
}

export interface OpenSpan<Kind extends SpanKind> {
  set(attributes: SpanAttributes<Kind>): void;
  /** Another name, once more is known. */
  rename(name: string): void;
}

export interface OpenRequest extends OpenSpan<'request'> {
  end(): void;
}

/** Values of one instrument at the moment; null where they cannot be had. */
export type Reading<Name extends ObservedName> = readonly { value: number; attributes: AttributesOf<Name> }[] | null;

export interface TraceIds {
  trace_id?: string;
  span_id?: string;
}

export abstract class Telemetry {
  abstract readonly isOn: boolean;
  /** @param times 0 makes a counter be there before it counts, so that the first time shows as a rise */
  abstract count<Name extends CounterName>(name: Name, attributes: AttributesOf<Name>, times?: number): void;
  abstract record<Name extends HistogramName>(name: Name, value: number, attributes: AttributesOf<Name>): void;
  /** @param read asked when somebody looks; it may be slow or fail without harm */
  abstract observe<Name extends ObservedName>(name: Name, read: () => Reading<Name> | Promise<Reading<Name>>): void;
  /** Does the work within a span; its failure is told by the error's name alone. */
  abstract span<Kind extends SpanKind, T>(plan: SpanPlan<Kind>, work: (span: OpenSpan<Kind>) => Promise<T>): Promise<T>;
  /**
   * A request that came in: `next` and all that it begins belong to it until `end`.
   * @param traceparent of a proxy that is believed
   */
  abstract request(plan: SpanPlan<'request'>, traceparent: string | undefined, next: () => void): OpenRequest;
  /** Headers that carry the trace on, for those who may know of it. */
  abstract propagation(): Readonly<Record<string, string>>;
  /** For lines of the log. */
  abstract ids(): TraceIds;
  /** The same function, called later as a part of what goes on now. */
  abstract bound<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void;
  /** Prometheus' text; null where nobody asked for it. */
  abstract scrape(): Promise<string> | null;
  /** Hands over what is left, within bounds. Never throws. */
  abstract stop(): Promise<void>;
}

const NOTHING: OpenRequest = { set: () => undefined, rename: () => undefined, end: () => undefined };
const NO_HEADERS = {};

class TelemetryOff extends Telemetry {
  readonly isOn = false;
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
