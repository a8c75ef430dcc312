/** Pages of rows by time, newest first. A cursor contains the time and the id of the last row of a page. */
import { sql, type RawBuilder } from 'kysely';
import { toPageSize } from '../../database/row-pages.js';

/** Where a page begins: its rows are earlier than this time and id. */
export type Position = {
  /** Microseconds since 1970, because a JavaScript date is less precise. */
  micros: string;
  id: string;
};

/** Later than every row. */
const START: Position = { micros: String(Number.MAX_SAFE_INTEGER), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
const CURSOR = /^(\d{1,15}\d?)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export interface PageQuery {
  cursor?: string;
  /** At most 200. Default: 50. */
  limit?: number;
}

/** SQL of the position of a row, for its page. */
export function positionSql(columns: { at: RawBuilder<Date>; id: RawBuilder<string> }): RawBuilder<Position> {
  return sql<Position>`(extract(epoch from ${columns.at}) * 1000000)::bigint::text as micros, ${columns.id}::text as id`;
}

/** SQL of the time of a position. */
export function timeSql(micros: RawBuilder<string>): RawBuilder<Date> {
  return sql<Date>`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`;
}

/** @returns null for a malformed cursor */
function readPosition(cursor: string | undefined): Position | null {
  if (cursor === undefined) return START;
  const [, micros, id] = CURSOR.exec(cursor) ?? [];
  return micros === undefined || id === undefined ? null : { micros, id };
}

/** @param read reads at most the next `max` rows after the position @returns no rows for a malformed cursor */
export async function readTimePage<Row extends Position>(
  { cursor, limit }: PageQuery,
  read: (page: Position & { max: number }) => Promise<readonly Row[]>,
): Promise<{ rows: Row[]; nextCursor?: string }> {
  const position = readPosition(cursor);
  if (position === null) return { rows: [] };
  const size = toPageSize(limit);
  const foundRows = await read({ ...position, max: size + 1 });
  const rows = foundRows.slice(0, size);
  const lastRow = rows.at(-1);
  return { rows, ...(foundRows.length > size && lastRow ? { nextCursor: `${lastRow.micros}.${lastRow.id}` } : {}) };
}
