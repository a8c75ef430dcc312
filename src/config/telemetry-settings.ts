/** Derives from the telemetry settings which data is sent to which receiver, and finds contradictions between the settings. */
import { isLoopback } from './safe-address.js';
import type { SettingValues } from './settings.js';

export interface TelemetrySettings {
  serviceName: string;
  /** Resource attributes, sent with all telemetry. */
  resource: Readonly<Record<string, string>>;
  /** The receiver and the data that is sent to it. If absent, nothing is sent. */
  otlp?: {
    /** Without the path of a signal (`/v1/traces`). */
    endpoint: string;
    headers: Readonly<Record<string, string>>;
    timeoutMs: number;
    traces: boolean;
    metrics: boolean;
    metricIntervalMs: number;
    /** Name in the OpenTelemetry specification. */
    sampler: { name: string; ratio: number };
  };
  /** If absent, there is no `/metrics`. */
  prometheus?: {
    /** Grants access to `/metrics`, like a token of the operator API. */
    token?: string;
  };
}

type Values = SettingValues['telemetry'];

interface CheckInput {
  values: SettingValues;
  isSet: (name: string) => boolean;
  production: boolean;
}

interface CheckOutcome {
  faults: string[];
  warnings?: string[];
}

export function toTelemetry(values: Values): TelemetrySettings {
  const { resource, metricsToken } = values;
  const serviceName = values.serviceName ?? resource['service.name'] ?? 'foyer';
  const base = { serviceName, resource };
  if (values.disabled) return base;
  const otlp = toReceiver(values);
  const isScraped = findMetricsExporters(values).includes('prometheus');
  return {
    ...base,
    ...(otlp ? { otlp } : {}),
    ...(isScraped ? { prometheus: metricsToken === undefined ? {} : { token: metricsToken } } : {}),
  };
}

function toReceiver(values: Values): TelemetrySettings['otlp'] {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, otlpTimeoutMs: timeoutMs, metricIntervalMs } = values;
  const traces = values.tracesExporter === 'otlp';
  const metrics = findMetricsExporters(values).includes('otlp');
  if (endpoint === undefined || (!traces && !metrics)) return undefined;
  const sampler = { name: values.tracesSampler, ratio: values.tracesSamplerRatio ?? 1 };
  return { endpoint, headers, timeoutMs, traces, metrics, metricIntervalMs, sampler };
}

/** If a receiver is configured, metrics are sent to it by default. */
function findMetricsExporters({ metricsExporters, otlpEndpoint }: Values): readonly string[] {
  return metricsExporters ?? (otlpEndpoint === undefined ? [] : ['otlp']);
}

export function checkTelemetry({ values: { telemetry: values }, isSet, production }: CheckInput): CheckOutcome {
  const faults: string[] = [];
  const exporters = findMetricsExporters(values);
  if (exporters.includes('none') && exporters.length > 1) {
    faults.push('OTEL_METRICS_EXPORTER: cannot combine none with another exporter');
  }
  if (isSet('METRICS_TOKEN') && !exporters.includes('prometheus')) {
    faults.push('METRICS_TOKEN: requires OTEL_METRICS_EXPORTER=prometheus, which is not set');
  }
  if (isSet('OTEL_TRACES_SAMPLER_ARG') && !values.tracesSampler.endsWith('traceidratio')) {
    faults.push('OTEL_TRACES_SAMPLER_ARG: requires a sampler with a ratio in OTEL_TRACES_SAMPLER');
  }
  if (values.otlpEndpoint === undefined) return { faults: [...faults, ...checkReceiver(exporters, isSet)] };
  const headerResult = checkHeaders(values, production);
  return {
    faults: [...faults, ...headerResult.faults],
    warnings: [...(headerResult.warnings ?? []), ...checkProtocol(values)],
  };
}

function checkReceiver(exporters: readonly string[], isSet: CheckInput['isSet']): string[] {
  if (isSet('OTEL_EXPORTER_OTLP_ENDPOINT')) return [];
  const names = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_TRACES_SAMPLER'].filter(isSet);
  if (exporters.includes('otlp')) names.push('OTEL_METRICS_EXPORTER');
  return names.map((name) => `${name}: requires OTEL_EXPORTER_OTLP_ENDPOINT, which is not set`);
}

/** Warns about the port of OTLP over gRPC, which Foyer does not support. */
function checkProtocol({ otlpEndpoint = '' }: Values): string[] {
  if (new URL(otlpEndpoint).port !== '4317') return [];
  return [
    'OTEL_EXPORTER_OTLP_ENDPOINT: 4317 is the port for gRPC; Foyer sends telemetry over HTTP in JSON, which receivers accept at port 4318',
  ];
}

/** Checks that the headers are not sent over plain http, because they may contain a key. */
function checkHeaders({ otlpEndpoint, otlpHeaders }: Values, production: boolean): CheckOutcome {
  const url = new URL(otlpEndpoint ?? '');
  const isOpen = url.protocol === 'http:' && !isLoopback(url.hostname) && Object.keys(otlpHeaders).length > 0;
  if (!isOpen) return { faults: [] };
  const message = 'OTEL_EXPORTER_OTLP_HEADERS: would be sent over plain http; use https in OTEL_EXPORTER_OTLP_ENDPOINT';
  return production ? { faults: [message] } : { faults: [], warnings: [message] };
}
