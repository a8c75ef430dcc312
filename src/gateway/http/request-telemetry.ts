/**
 * A metric for each request except static files, and a span for each of them except probes, from its start to the last byte. They
 * contain the route template, never the path or the query, which may contain challenges and tokens.
 */
import type { Request, RequestHandler } from 'express';
import type { AttributesOf } from '../../telemetry/catalogue.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { PROBES } from './health.controller.js';
import type { ContextualRequest } from './request-context.js';
import { defined } from '../../config/defined.js';

type Attributes = AttributesOf<'http.server.request.duration'>;

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER_METHOD = '_OTHER';
const NO_ROUTE = 'none';

/**
 * @param trustsTraceparent whether a trusted proxy supplies the trace context (TRUST_PROXY); otherwise `traceparent` is
 * ignored
 */
export function requestTelemetry(telemetry: Telemetry, trustsTraceparent: boolean): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const method = (METHODS.includes(request.method) ? request.method : OTHER_METHOD) as Attributes['http.request.method'];
    const startAttributes = {
      'http.request.method': method,
      'url.scheme': request.protocol === 'https' ? 'https' : 'http',
    } as const;
    let finish: (endAttributes: ReturnType<typeof toEndAttributes>) => void = () => undefined;
    response.once('close', () => {
      const endAttributes = toEndAttributes(request, {
        status: response.statusCode,
        hasStatus: response.headersSent,
        isWhole: response.writableFinished,
      });
      telemetry.record('http.server.request.duration', (performance.now() - startedAt) / 1000, {
        ...startAttributes,
        ...endAttributes,
      });
      finish(endAttributes);
    });
    if (PROBES.includes(request.path)) return next();
    const traceparent = trustsTraceparent ? request.header('traceparent') : undefined;
    const span = telemetry.beginRequest({ span: 'request', name: method, attributes: startAttributes }, traceparent, next);
    finish = (endAttributes) => {
      span.rename(`${method} ${endAttributes['http.route']}`);
      span.set({ ...endAttributes, 'foyer.request.id': (request as Partial<ContextualRequest>).context?.requestId });
      span.end();
    };
  };
}

function toEndAttributes(
  request: Request,
  { status, hasStatus, isWhole }: { status: number; hasStatus: boolean; isWhole: boolean },
) {
  const route = (request.route as { path?: unknown } | undefined)?.path;
  const error = isWhole ? (status >= 500 ? String(status) : undefined) : 'aborted';
  return {
    'http.route': typeof route === 'string' ? route : NO_ROUTE,
    ...(hasStatus ? { 'http.response.status_code': status } : {}),
    ...defined({ 'error.type': error }),
  };
}
