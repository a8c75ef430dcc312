/**
 * Structured log lines on stdout. Bodies, queries, cookies and answers of Hydra are never passed to it; error objects
 * are reduced to name, message and stack.
 */
import { destination, pino } from 'pino';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';

/** Lines beyond it are dropped while stdout is blocked: a stuck log collector must not stop sign-ins. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** @param about members added to each line; default: none */
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

/** Errors of libraries contain requests, statements and parameters: only name, message and stack are logged. */
function errorLine(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  return { name: error.name, message: error.message.slice(0, 500), stack: error.stack?.slice(0, 4000) };
}
