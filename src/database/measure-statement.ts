/** Records a span with the name or first word of a statement, and its duration; never its text or values. */
import type { Telemetry } from '../telemetry/telemetry.js';
import { nameFailure } from './failures.js';
import type { StatementText } from './sessions.js';

const SYSTEM = { 'db.system.name': 'postgresql' } as const;
const WORDS = ['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback'];

export async function measureStatement<T>(telemetry: Telemetry, statement: StatementText, run: () => Promise<T>): Promise<T> {
  const summary = statement.name ?? findFirstWord(statement.text);
  const attributes = { ...SYSTEM, 'db.query.summary': summary };
  return telemetry.runInSpan({ span: 'statement', name: summary, attributes }, async (span) => {
    const startedAt = performance.now();
    let failure = {};
    try {
      return await run();
    } catch (error) {
      // Only the name of our own error is recorded, because errors of the driver may contain values.
      failure = { 'error.type': nameFailure(error).name };
      span.set(failure);
      throw error;
    } finally {
      telemetry.record('db.client.operation.duration', (performance.now() - startedAt) / 1000, { ...SYSTEM, ...failure });
    }
  });
}

function findFirstWord(text: string): string {
  const word = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? '';
  return WORDS.includes(word) ? word : 'statement';
}
