/** The metrics in Prometheus' text format, with the names that OpenTelemetry's rules for Prometheus define. */
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { DataPointType, MetricReader, type MetricData, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { unitSuffix } from '../prometheus-name.js';

/** A read that hangs must not delay a scrape until Prometheus' own timeout. */
const COLLECT_MS = 5000;

/** Read by the operator API when Prometheus scrapes; this class does not listen. */
export class ScrapeReader extends MetricReader {
  readonly #serializer = new PrometheusSerializer(undefined, false, undefined, false, true);

  async text(): Promise<string> {
    const { resourceMetrics } = await this.collect({ timeoutMillis: COLLECT_MS });
    return this.#serializer.serialize(renamed(resourceMetrics));
  }

  protected onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

function renamed({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics {
  return { resource, scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({ scope, metrics: metrics.map(withSuffix) })) };
}

/** The name already contains the unit, so a comment would repeat it. */
function withSuffix(metric: MetricData): MetricData {
  const { descriptor } = metric;
  const suffix = unitSuffix(descriptor.unit, metric.dataPointType === DataPointType.GAUGE);
  return { ...metric, descriptor: { ...descriptor, name: `${descriptor.name}${suffix}`, unit: '' } };
}
