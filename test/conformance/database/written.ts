/** The rows that processes write before they are killed (`child.ts`). */
import { sql } from 'kysely';
import type { Database } from '../../../src/database/database.js';

/** The rows that a process finds, and whether they are numbered from 1 without gaps and are written completely. */
export interface Written {
  last: number;
  count: number;
  torn: number;
}

export async function findWritten({ db }: Database): Promise<Written> {
  const { rows } = await sql<Written>`
    select coalesce(max(number), 0) as last, count(*)::integer as count,
      (count(*) filter (where twin <> number))::integer as torn
    from written`.execute(db);
  return rows[0] ?? { last: 0, count: 0, torn: 0 };
}
