/** Writes the metrics in the text format of Prometheus, with the names that OpenTelemetry defines for Prometheus. */
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { DataPointType, MetricReader, type MetricData, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { toUnitSuffix } from '../prometheus-name.js';

/** Shorter than the default timeout of Prometheus, so that a read that hangs does not fail the whole scrape. */
const COLLECT_MS = 5000;

/** Reads the metrics when Prometheus scrapes `/metrics` on the port of the operator API. Opens no port itself. */
export class ScrapeReader extends MetricReader {
  readonly #serializer = new PrometheusSerializer(undefined, false, undefined, false, true);

  constructor(private readonly collectMs = COLLECT_MS) {
    super();
  }

  async serialize(): Promise<string> {
    const { resourceMetrics } = await this.collect({ timeoutMillis: this.collectMs });
    return this.#serializer.serialize(addUnits(resourceMetrics));
  }

  protected onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

function addUnits({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics {
  return { resource, scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({ scope, metrics: metrics.map(addUnit) })) };
}

/** Moves the unit into the name. Without a unit, the serializer writes no comment that repeats the unit. */
function addUnit(metric: MetricData): MetricData {
  const { descriptor } = metric;
  const suffix = toUnitSuffix(descriptor.unit, metric.dataPointType === DataPointType.GAUGE);
  return { ...metric, descriptor: { ...descriptor, name: `${descriptor.name}${suffix}`, unit: '' } };
}
