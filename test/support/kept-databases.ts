/** The sandbox's side of `kept-databases.environment.mjs`: what comes out of the kept PGlite is of this realm again. */
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

/** @param template path of a dump @returns what the product uses of a PGlite; `close` gives it back */
export async function takePglite(template: string): Promise<PGlite> {
  const kept = await keptDatabases.takePglite(template, PGLITE_OPTIONS);
  const taken = {
    closed: false,
    async query(text: string, values: unknown[] = []): Promise<Results<object>> {
      const sent = values.map((value) => (value instanceof Date ? value.toISOString() : value));
      const { rows, ...results } = await kept.query(text, sent, { parsers: PARSERS });
      return { ...results, rows: rows.map((row) => ({ ...row })) };
    },
    async close(): Promise<void> {
      if (taken.closed) return;
      taken.closed = true;
      await keptDatabases.givePglite(kept);
    },
  };
  return taken as unknown as PGlite;
}
