/** Metrics for Prometheus. On the operator's port, never on the public one (OWASP ASVS 13.4.5); not a part of the API. */
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { OperatorRequest, Step } from './operator-context.js';

const PATH = '/metrics';
const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Exact comparison: another spelling must not bypass the operator's token. */
export function asksForMetrics({ method, url }: OperatorRequest): boolean {
  return method === 'GET' && url === PATH;
}

/** Answers only if metrics are configured. */
export function metricsPage(telemetry: Telemetry): Step {
  return (request, response, next) => {
    const text = asksForMetrics(request) ? telemetry.scrape() : null;
    if (!text) return next();
    text.then(
      (metrics) => response.writeHead(200, { 'Content-Type': TYPE }).end(metrics),
      (error: unknown) => next(error),
    );
  };
}
