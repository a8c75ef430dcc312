/**
 * Reports telemetry with the SDK of OpenTelemetry. Only this folder imports the SDK, and the folder is loaded only if the settings
 * enable telemetry. While a receiver is unavailable, the spans of each failed export and the spans that do not fit into a bounded
 * queue are dropped. One log line for each signal reports that exports fail.
 */
import { randomUUID } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader, type MetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Config } from '../../config/config.js';
import type { AttributesOf, CounterName, HistogramName, ObservedName } from '../catalogue.js';
import type { SpanKind } from '../span-catalogue.js';
import { NO_SPAN, Telemetry, type OpenRequest, type OpenSpan, type Reading, type SpanPlan, type TraceIds } from '../telemetry.js';
import { ScrapeReader } from './exposition.js';
import { Instruments } from './instruments.js';
import { findFoyerVersion } from '../../config/foyer-version.js';
import { observeProcess } from './process-readings.js';
import { toSampler } from './sampler.js';
import { Spans } from './spans.js';
import { observeExporter, type ExportState } from './observed-exporter.js';

export type TelemetrySettings = Config['telemetry'];
type Receiver = NonNullable<TelemetrySettings['otlp']>;
type OnChange = (state: ExportState) => void;

const SCOPE = 'foyer';
/** Enough for the spans of a busy gateway for a few seconds. */
const MAX_SPANS = 4096;
/** Maximum number of attribute combinations of one instrument; the SDK counts further combinations together. */
const MAX_SERIES = 1000;
/** Timeout at shutdown, so that the process exits even if a receiver does not answer. */
const LAST_EXPORT_MS = 3000;

export class OpenTelemetry extends Telemetry {
  readonly isOn = true;
  readonly #instruments: Instruments;
  readonly #meters: MeterProvider;
  readonly #scrapeReader: ScrapeReader | null;
  readonly #tracers: TracerProvider | null;
  readonly #spans: Spans | null;
  readonly #endProcessReadings: () => void;
  #pendingStop: Promise<void> | undefined;

  /**
   * @param onChange called when the receiver stops accepting exports, and when it accepts them again
   * @param readTimeoutMs time limit for reading one observed instrument, and for reading all of them; if absent, the default limits apply
   */
  constructor(settings: TelemetrySettings, onChange: OnChange, readTimeoutMs?: number) {
    super();
    const version = findFoyerVersion();
    const resource = toResource(settings, version);
    const { otlp, prometheus } = settings;
    this.#scrapeReader = prometheus ? new ScrapeReader(readTimeoutMs) : null;
    const readers = [
      ...(this.#scrapeReader ? [this.#scrapeReader] : []),
      ...(otlp?.metrics ? [createPushReader(otlp, onChange)] : []),
    ];
    const views = [{ instrumentName: '*', aggregationCardinalityLimit: MAX_SERIES }];
    this.#meters = new MeterProvider({ resource, readers, views });
    this.#instruments = new Instruments(this.#meters.getMeter(SCOPE, version), readTimeoutMs);
    this.#tracers = otlp?.traces ? createTracerProvider(otlp, resource, onChange) : null;
    this.#spans = this.#tracers && new Spans(this.#tracers.getTracer(SCOPE, version));
    this.#endProcessReadings = readers.length > 0 ? observeProcess(this, version) : () => undefined;
  }

  count<Name extends CounterName>(name: Name, attributes: AttributesOf<Name>, times = 1): void {
    this.#instruments.count(name, attributes, times);
  }

  record<Name extends HistogramName>(name: Name, value: number, attributes: AttributesOf<Name>): void {
    this.#instruments.record(name, value, attributes);
  }

  observe<Name extends ObservedName>(name: Name, read: () => Reading<Name> | Promise<Reading<Name>>): void {
    this.#instruments.observe(name, read);
  }

  runInSpan<Kind extends SpanKind, T>(plan: SpanPlan<Kind>, work: (span: OpenSpan<Kind>) => Promise<T>): Promise<T> {
    return this.#spans ? this.#spans.run(plan, work) : work(NO_SPAN);
  }

  beginRequest(plan: SpanPlan<'request'>, traceparent: string | undefined, next: () => void): OpenRequest {
    if (this.#spans) return this.#spans.beginRequest(plan, traceparent, next);
    next();
    return NO_SPAN;
  }

  buildTraceHeaders(): Readonly<Record<string, string>> {
    return this.#spans?.buildTraceHeaders() ?? {};
  }

  getTraceIds(): TraceIds {
    return this.#spans?.getTraceIds() ?? {};
  }

  bind<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
    return this.#spans?.bind(work) ?? work;
  }

  scrape(): Promise<string> | null {
    return this.#scrapeReader?.serialize() ?? null;
  }

  stop(): Promise<void> {
    return (this.#pendingStop ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.#endProcessReadings();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_EXPORT_MS)));
    const ends = Promise.allSettled([this.#tracers?.shutdown(), this.#meters.shutdown()]);
    await Promise.race([ends, timeout]).finally(() => clearTimeout(timer));
  }
}

function toResource({ serviceName, resource }: TelemetrySettings, version: string): Resource {
  const ownAttributes: Attributes = { 'service.name': serviceName, 'service.version': version };
  return resourceFromAttributes({ 'service.instance.id': randomUUID(), ...resource, ...ownAttributes });
}

function createPushReader({ endpoint, headers, timeoutMs, metricIntervalMs }: Receiver, onChange: OnChange): MetricReader {
  const exporter = new OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, headers: { ...headers }, timeoutMillis: timeoutMs });
  return new PeriodicExportingMetricReader({
    exporter: observeExporter(exporter, 'metrics', onChange),
    exportIntervalMillis: metricIntervalMs,
    exportTimeoutMillis: Math.min(timeoutMs, metricIntervalMs),
  });
}

function createTracerProvider(
  { endpoint, headers, timeoutMs, sampler }: Receiver,
  resource: Resource,
  onChange: OnChange,
): TracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: { ...headers }, timeoutMillis: timeoutMs });
  const processor = new BatchSpanProcessor({
    exporter: observeExporter(exporter, 'traces', onChange),
    maxQueueSize: MAX_SPANS,
    exportTimeoutMillis: timeoutMs,
  });
  return new TracerProvider({ resource, sampler: toSampler(sampler), spanProcessors: [processor] });
}
