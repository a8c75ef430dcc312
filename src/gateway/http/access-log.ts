/** One log line for each request: route, result, duration. The path has no query, which contains challenges. */
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { PATHS } from '../../contract/paths.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { PROBES } from './health.controller.js';
import type { ContextualRequest } from './request-context.js';

/** @param telemetry supplies the trace id of a line */
export function accessLog(log: Logger, telemetry: Telemetry): RequestHandler {
  return (request, response, next) => {
    if (!log.isLevelEnabled('info') || request.path.startsWith(PATHS.assets)) return next();
    const isProbe = PROBES.includes(request.path);
    const begun = process.hrtime.bigint();
    const write = telemetry.bound(() => {
      const { requestId, address } = (request as ContextualRequest).context;
      const ms = Number((process.hrtime.bigint() - begun) / 10_000n) / 100;
      const aborted = !response.writableFinished;
      log[isProbe && response.statusCode < 400 ? 'debug' : 'info']({
        requestId,
        address,
        method: request.method,
        path: request.path.slice(0, 200),
        status: response.statusCode,
        ms,
        aborted,
      });
    });
    response.once('close', write);
    next();
  };
}
