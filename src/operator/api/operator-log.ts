/** Logs each call with its operator and status. The query is left out, because it may contain names and addresses of people. */
import type { Logger } from 'pino';
import type { Middleware } from './operator-context.js';

const MAX_PATH_LENGTH = 200;

export function operatorLog(log: Logger): Middleware {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const { requestId, address, operator } = request.context;
      const path = (request.url ?? '').split(/[?%;]/, 1)[0]?.slice(0, MAX_PATH_LENGTH);
      const ms = Math.round((performance.now() - startedAt) * 100) / 100;
      log.info({ requestId, address, operator, method: request.method, path, status: response.statusCode, ms }, 'operator call');
    });
    next();
  };
}
