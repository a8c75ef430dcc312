/** The metrics page for Prometheus. It is on the port of the operator API, never on the public port (OWASP ASVS 13.4.5). */
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { OperatorRequest, Middleware } from './operator-context.js';

const PATH = '/metrics';
const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Compares exactly, so that no other spelling of the path bypasses the check of the token. */
export function asksForMetrics({ method, url }: OperatorRequest): boolean {
  return method === 'GET' && url === PATH;
}

/** Answers only if Prometheus metrics are configured. */
export function metricsPage(telemetry: Telemetry): Middleware {
  return (request, response, next) => {
    const text = asksForMetrics(request) ? telemetry.scrape() : null;
    if (!text) return next();
    text.then(
      (metrics) => response.writeHead(200, { 'Content-Type': TYPE }).end(metrics),
      (error: unknown) => next(error),
    );
  };
}
