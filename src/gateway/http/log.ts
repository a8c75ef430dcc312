/**
 * Structured log lines on stdout. Bodies, queries, cookies and Hydra's answers are never logged; error objects
 * are reduced to name, message and stack.
 */
import { pino, type Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { LogOutput, createStandardWriter } from './log-output.js';
import { cutText } from '../../config/cut-text.js';

export interface LogOptions {
  /** Members added to each line; default: none. */
  extraMembers?: (() => object) | undefined;
  /** @param lines number of lines that could not be written */
  onDropped?: (lines: number) => void;
}

export function createLog(level: Config['log']['level'], { extraMembers, onDropped }: LogOptions = {}): Logger {
  const onRecovered = (lines: number): void => log.warn({ dropped: lines }, 'log lines could not be written and are lost');
  const log = pino(
    {
      level,
      ...(extraMembers ? { mixin: extraMembers } : {}),
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
    },
    new LogOutput(createStandardWriter(), { ...(onDropped ? { onDropped } : {}), onRecovered }),
  );
  return log;
}

/** Errors of libraries contain requests, statements and parameters: only name, message and stack are logged. */
function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  return { name: error.name, message: cutText(error.message, 500), stack: error.stack && cutText(error.stack, 4000) };
}
