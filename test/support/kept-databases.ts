/**
 * Reuses databases for all test files of a process: opening PGlite takes longer than many files run, and copying a template on a
 * server and dropping the copy three times as long as emptying it. Each user gets an empty one.
 */
import { readFile } from 'node:fs/promises';
import { PGlite, type QueryOptions, type Results } from '@electric-sql/pglite';
import { PGLITE_OPTIONS } from '../../src/database/embedded-directory.js';

/** What tests change besides rows. */
const SCHEMA = `
  select md5(coalesce(string_agg(line, chr(10) order by line), '')) as schema from (
    select concat_ws(' ', 'class', relname, relkind) as line from pg_class where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'column', attrelid::regclass, attname, atttypid, attnotnull, attisdropped)
      from pg_attribute join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'constraint', conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'trigger', tgname, tgenabled) from pg_trigger
    union all select concat_ws(' ', 'function', proname, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisvalid)
      from pg_index join pg_class on pg_class.oid = indrelid where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'setting', setconfig) from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())
  ) as lines`;
const TABLES = `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
const USED_SEQUENCES = `select quote_ident(sequencename) as name from pg_sequences where last_value is not null`;

/** What `FirstState` needs of a database; `exec` takes several statements. */
export interface Statements {
  exec(text: string): Promise<unknown>;
  query<Row>(text: string): Promise<{ rows: Row[] }>;
}

/** Two, because some tests compare two installations. */
const MAX_FREE = 2;
const free: KeptPglite[] = [];

/** Takes an instance for one user; a second user gets another one. @param template path of a dump @returns an instance whose `close` gives it back */
export async function takePglite(template: string): Promise<PGlite> {
  const kept = await takeFree(template);
  let isClosed = false;
  const taken = {
    async query<Row>(text: string, values?: unknown[], options?: QueryOptions): Promise<Results<Row>> {
      // Later writes must not reach the database of the next test.
      if (isClosed) throw new Error('PGlite is closed');
      return kept.pglite.query<Row>(text, values, options);
    },
    async close(): Promise<void> {
      if (isClosed) return;
      isClosed = true;
      if (free.length < MAX_FREE) free.push(kept);
      else await kept.pglite.close();
    },
  };
  return taken as unknown as PGlite;
}

async function takeFree(template: string): Promise<KeptPglite> {
  const kept = free.pop();
  if (kept && (await kept.reset())) return kept;
  await kept?.pglite.close();
  return KeptPglite.open(template);
}

class KeptPglite {
  private constructor(
    readonly pglite: PGlite,
    private readonly state: FirstState,
  ) {}

  static async open(template: string): Promise<KeptPglite> {
    const loadDataDir = new Blob([await readFile(template)]);
    const pglite = await withUnrefTimers(() => PGlite.create({ ...PGLITE_OPTIONS, loadDataDir }));
    const exec = pglite.execProtocolRawSync.bind(pglite);
    pglite.execProtocolRawSync = (...args) => withUnrefTimers(() => exec(...args));
    return new KeptPglite(pglite, await FirstState.read(pglite));
  }

  /** @returns false if its initial state cannot be restored */
  async reset(): Promise<boolean> {
    await this.pglite.exec('rollback');
    await this.pglite.exec('discard all');
    return this.state.restore(this.pglite);
  }
}

/** What a migrated database has before its first user. */
export class FirstState {
  private constructor(
    private readonly schema: string,
    /** Initial rows of tables as one text, by table name. */
    private readonly rows: ReadonlyMap<string, string>,
  ) {}

  static async read(database: Statements): Promise<FirstState> {
    return new FirstState(await readSchema(database), await readRows(database));
  }

  /** Deletes all further rows. @returns false if something else has changed */
  async restore(database: Statements): Promise<boolean> {
    if ((await readSchema(database)) !== this.schema) return false;
    const rows = await readRows(database, this.rows);
    for (const [table, text] of this.rows) if (rows.get(table) !== text) return false;
    const filled = [...rows.keys()].filter((table) => !this.rows.has(table));
    const used = await readNames(database, USED_SEQUENCES);
    // Triggers are off, because foreign keys require an order, and the audit log refuses deletes.
    await database.exec(
      [
        'set session_replication_role = replica',
        ...filled.map((name) => `delete from ${name}`),
        ...used.map((name) => `alter sequence ${name} restart`),
        'reset session_replication_role',
      ].join(';\n'),
    );
    if (filled.length === 0) return true;
    await database.exec(`vacuum ${filled.join(', ')}`);
    // As in a new database: the planner would take a table that was found to be empty for tiny, and read it as a whole when it has grown.
    const oids = filled.map((name) => `'${name}'::regclass`).join(', ');
    await database.exec(`update pg_class set reltuples = -1, relpages = 0 where oid in (${oids})`);
    return true;
  }
}

async function readSchema(database: Statements): Promise<string> {
  return (await database.query<{ schema: string }>(SCHEMA)).rows[0]?.schema ?? '';
}

/** @param known the tables whose rows are read; other tables are only checked for rows @returns tables that are not empty */
async function readRows(database: Statements, known?: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const each = (await readNames(database, TABLES)).map(
    (name) => `select '${name}' as name, case when exists (select from ${name}) then 1 end as filled`,
  );
  const { rows } = await database.query<{ name: string; filled: number | null }>(each.join(' union all '));
  const texts = new Map<string, string>();
  for (const { name } of rows.filter(({ filled }) => filled !== null)) {
    texts.set(name, known && !known.has(name) ? '' : await readText(database, name));
  }
  return texts;
}

async function readText(database: Statements, table: string): Promise<string> {
  const read = `select md5(string_agg(t::text, ' ' order by t::text)) as text from ${table} as t`;
  return (await database.query<{ text: string }>(read)).rows[0]?.text ?? '';
}

async function readNames(database: Statements, query: string): Promise<string[]> {
  return (await database.query<{ name: string }>(query)).rows.map(({ name }) => name);
}

let unreferring = 0;
let referring = globalThis.setTimeout;

/** PostgreSQL starts a timer of ten seconds for its statistics, which would keep the process alive. */
function withUnrefTimers<Result>(work: () => Result): Result {
  if ((unreferring += 1) === 1) {
    referring = globalThis.setTimeout;
    globalThis.setTimeout = unrefTimeout as typeof setTimeout;
  }
  const restore = (): void => {
    if ((unreferring -= 1) === 0) globalThis.setTimeout = referring;
  };
  let result: Result;
  try {
    result = work();
  } catch (error) {
    restore();
    throw error;
  }
  if (!(result instanceof Promise)) restore();
  else void result.finally(restore).catch(() => undefined);
  return result;
}

function unrefTimeout(then: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): NodeJS.Timeout {
  return referring(() => withUnrefTimers(() => then(...args)), ms).unref();
}
