/** The sandbox side of `kept-databases.environment.mjs`: converts values of the shared PGlite to this realm. */
import type { PGlite, PGliteOptions, QueryOptions, Results } from '@electric-sql/pglite';
import { PGLITE_OPTIONS } from '../../src/database/embedded-directory.js';

const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
const DATE = 1082;
const JSON_TEXT = 114;
const JSONB = 3802;

const toDate = (text: string): Date => new Date(text);
const toValue = (text: string): unknown => JSON.parse(text);
const PARSERS = {
  ...PGLITE_OPTIONS.parsers,
  [DATE]: toDate,
  [TIMESTAMP]: toDate,
  [TIMESTAMPTZ]: toDate,
  [JSON_TEXT]: toValue,
  [JSONB]: toValue,
};

interface Kept {
  query(text: string, values: unknown[], options: QueryOptions): Promise<Results<object>>;
}

interface KeptDatabases {
  takePglite(template: string, options: PGliteOptions): Promise<Kept>;
  givePglite(kept: Kept): Promise<void>;
}

declare const keptDatabases: KeptDatabases;

/** @param template path of a dump @returns the PGlite methods that the product uses; `close` returns the database */
export async function takePglite(template: string): Promise<PGlite> {
  const kept = await keptDatabases.takePglite(template, PGLITE_OPTIONS);
  const taken = {
    closed: false,
    async query(text: string, values: unknown[] = []): Promise<Results<object>> {
      // After it was returned, writes must not reach the database of the next test.
      if (taken.closed) throw new Error('PGlite is closed');
      const sent = values.map((value) => (value instanceof Date ? value.toISOString() : value));
      const { rows, ...results } = await kept.query(text, sent, { parsers: PARSERS });
      return { ...results, rows: Array.from(rows, (row) => ({ ...row })) };
    },
    async close(): Promise<void> {
      if (taken.closed) return;
      taken.closed = true;
      await keptDatabases.givePglite(kept);
    },
  };
  return taken as unknown as PGlite;
}
