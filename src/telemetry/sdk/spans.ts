/**
 * Creates the spans of the catalogue on a tracer and tracks which span is active. Each `Spans` object stores its own context, so
 * nothing is global.
 */
import {
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { SPANS, type SpanAttributes, type SpanKind } from '../span-catalogue.js';
import { NO_SPAN, type OpenRequest, type OpenSpan, type SpanPlan, type TraceIds } from '../telemetry.js';
import { readTraceParent, writeTraceParent } from './trace-parent.js';

const KINDS = { server: Kind.SERVER, client: Kind.CLIENT, internal: Kind.INTERNAL } as const;

export class Spans {
  /** Not registered with the global API of OpenTelemetry. */
  readonly #contexts = new AsyncLocalStorageContextManager();
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  async run<K extends SpanKind, T>(plan: SpanPlan<K>, work: (span: OpenSpan<K>) => Promise<T>): Promise<T> {
    const parent = this.#contexts.active();
    if (!trace.getSpan(parent) && !plan.begins) return work(NO_SPAN);
    const span = this.#start(plan, parent);
    const openSpan = new RecordedSpan(plan.span, span);
    try {
      return await this.#contexts.with(trace.setSpan(parent, span), () => work(openSpan));
    } catch (error) {
      openSpan.fail(error);
      throw error;
    } finally {
      span.end();
    }
  }

  beginRequest(plan: SpanPlan<'request'>, traceparent: string | undefined, next: () => void): OpenRequest {
    const remoteContext = readTraceParent(traceparent);
    const parent = remoteContext ? trace.setSpanContext(ROOT_CONTEXT, remoteContext) : ROOT_CONTEXT;
    const span = this.#start(plan, parent);
    this.#contexts.with(trace.setSpan(parent, span), next);
    return new RecordedSpan('request', span);
  }

  /** Binds a function to the span that is active now, for later calls. */
  bind<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
    return this.#contexts.bind(this.#contexts.active(), work);
  }

  buildTraceHeaders(): Record<string, string> {
    const span = this.#findCurrentSpan();
    return span ? { traceparent: writeTraceParent(span.spanContext()) } : {};
  }

  getTraceIds(): TraceIds {
    const span = this.#findCurrentSpan();
    if (!span) return {};
    const { traceId, spanId } = span.spanContext();
    return { trace_id: traceId, span_id: spanId };
  }

  #findCurrentSpan(): Span | undefined {
    return trace.getSpan(this.#contexts.active());
  }

  #start<K extends SpanKind>({ span, name, attributes }: SpanPlan<K>, parent: Context): Span {
    const options = { kind: KINDS[SPANS[span].kind], attributes: pickAllowed(span, attributes ?? {}) };
    return this.#tracer.startSpan(name, options, parent);
  }
}

class RecordedSpan<K extends SpanKind> implements OpenSpan<K> {
  readonly #kind: K;
  readonly #span: Span;
  #isFailed = false;

  constructor(kind: K, span: Span) {
    this.#kind = kind;
    this.#span = span;
  }

  set(attributes: SpanAttributes<K>): void {
    const allowedAttributes = pickAllowed(this.#kind, attributes);
    this.#span.setAttributes(allowedAttributes);
    if (allowedAttributes['error.type'] === undefined) return;
    this.#isFailed = true;
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** Records only the code or the name of an error, because a message may contain user input. An earlier, more precise error type is kept. */
  fail(error: unknown): void {
    if (this.#isFailed) return;
    this.#span.setAttribute('error.type', toErrorType(error));
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  end(): void {
    this.#span.end();
  }
}

function pickAllowed<K extends SpanKind>(kind: K, values: SpanAttributes<K>): Attributes {
  const names: readonly string[] = SPANS[kind].attributes;
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries<string | number | undefined>(values)) {
    if (value !== undefined && names.includes(name)) attributes[name] = value;
  }
  return attributes;
}

function toErrorType(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return code;
  return error instanceof Error ? error.name : typeof error;
}
