/** Prometheus' text of what the instruments hold, under the names that OpenTelemetry's rules for Prometheus give them. */
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { DataPointType, MetricReader } from '@opentelemetry/sdk-metrics';
import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { unitSuffix } from '../prometheus-name.js';

/** A stuck reading must not keep Prometheus until its own patience ends. */
const COLLECT_MS = 5000;

/** Read when Prometheus asks, by the operator API: nothing listens here. */
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

/** The unit is in the name then; a comment beside it would say it twice. */
function withSuffix(metric: MetricData): MetricData {
  const { descriptor } = metric;
  const suffix = unitSuffix(descriptor.unit, metric.dataPointType === DataPointType.GAUGE);
  return { ...metric, descriptor: { ...descriptor, name: `${descriptor.name}${suffix}`, unit: '' } };
}
