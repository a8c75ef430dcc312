/**
 * Structured log lines on stdout. Nothing here ever sees a body, a query, a cookie or an upstream's answer, so no secret
 * can reach a line; error objects are cut to what helps.
 */
import { destination, pino } from 'pino';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';

/** Lines beyond it are dropped while stdout is blocked: a stuck log collector must not stop sign-ins. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** @param about what each line says beside its own; nothing unless given */
export function createLog(level: Config['log']['level'], about?: () => object): Logger {
  return pino(
    {
      level,
      ...(about ? { mixin: about } : {}),
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorLine },
    },
    destination({ dest: 1, sync: false, maxLength: BUFFER_BYTES }),
  );
}

/** Errors of libraries carry requests, statements and parameters: only name, message and stack go on. */
function errorLine(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  return { name: error.name, message: error.message.slice(0, 500), stack: error.stack?.slice(0, 4000) };
}
