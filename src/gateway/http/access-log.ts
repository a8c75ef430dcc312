/** One log line for each request except static files: path, result, duration. The query contains challenges and is left out. */
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { SERVER_PATHS } from '../../contract/paths.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { PROBES } from './health.controller.js';
import type { ContextualRequest } from './request-context.js';

const MAX_PATH_LENGTH = 200;

/** @param telemetry supplies the trace id of a line */
export function accessLog(log: Logger, telemetry: Telemetry): RequestHandler {
  return (request, response, next) => {
    if (!log.isLevelEnabled('info') || request.path.startsWith(SERVER_PATHS.assets)) return next();
    const isProbe = PROBES.includes(request.path);
    const startedAt = process.hrtime.bigint();
    const write = telemetry.bind(() => {
      const { requestId, address } = (request as ContextualRequest).context;
      const ms = Number((process.hrtime.bigint() - startedAt) / 10_000n) / 100;
      const aborted = !response.writableFinished;
      log[isProbe && response.statusCode < 400 ? 'debug' : 'info']({
        requestId,
        address,
        method: request.method,
        path: toLoggedPath(request.path),
        status: response.statusCode,
        ms,
        aborted,
      });
    });
    response.once('close', write);
    next();
  };
}

/** Matches one part of this product's paths; no token is that short. */
const PART = /^[a-z][a-z0-9-]{0,23}$/;

/**
 * The path up to the first part that does not have the form of this product's parts: a mail program may have encoded the `?` of a link,
 * and the token is then part of the path.
 */
export function toLoggedPath(path: string): string {
  const [pathStart = ''] = path.split(/[^\w/.~-]/);
  const parts = pathStart.split('/').slice(1);
  const unknownIndex = parts.findIndex((part) => part !== '' && !PART.test(part));
  const knownParts = unknownIndex === -1 ? parts : parts.slice(0, unknownIndex);
  const isWhole = unknownIndex === -1 && pathStart.length === path.length && path.length <= MAX_PATH_LENGTH;
  return isWhole ? path : `/${[...knownParts, '…'].join('/').slice(0, MAX_PATH_LENGTH)}`;
}
