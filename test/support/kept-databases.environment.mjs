/**
 * Reuses PGlite for all test files of a process, because opening one takes longer than many files; each test file
 * gets it empty. It lives outside jest's sandbox, so its values belong to another realm.
 */
import { Blob } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import NodeEnvironment from 'jest-environment-node';

/** Everything besides rows that a test could have changed. */
const SCHEMA = `
  select md5(coalesce(string_agg(line, chr(10) order by line), '')) as schema from (
    select concat_ws(' ', 'class', relname, relkind) as line from pg_class where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'column', attrelid::regclass, attname, atttypid, attnotnull, attisdropped)
      from pg_attribute join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'constraint', conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'trigger', tgname, tgenabled) from pg_trigger
    union all select concat_ws(' ', 'function', proname, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
  ) as lines`;
const TABLES = `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
const USED_SEQUENCES = `select quote_ident(sequencename) as name from pg_sequences where last_value is not null`;

class KeptPglite {
  #pglite;
  #schema = '';
  /** Initial rows of tables, by table name. */
  #firstRows = new Map();

  static async open(template, options) {
    const { PGlite } = await import('@electric-sql/pglite');
    const kept = new KeptPglite();
    const loadDataDir = new Blob([await readFile(template)]);
    kept.#pglite = await withUnrefTimers(() => PGlite.create({ ...options, loadDataDir }));
    const exec = kept.#pglite.execProtocolRawSync.bind(kept.#pglite);
    kept.#pglite.execProtocolRawSync = (...args) => withUnrefTimers(() => exec(...args));
    kept.#schema = await kept.#readSchema();
    kept.#firstRows = await kept.#readRows();
    return kept;
  }

  query(...args) {
    return this.#pglite.query(...args);
  }

  close() {
    return this.#pglite.close();
  }

  /** @returns {Promise<boolean>} false if its initial state cannot be restored */
  async reset() {
    await this.#pglite.exec('rollback');
    await this.#pglite.exec('discard all');
    if ((await this.#readSchema()) !== this.#schema) return false;
    const rows = await this.#readRows();
    for (const [table, text] of this.#firstRows) if (rows.get(table) !== text) return false;
    const filled = [...rows.keys()].filter((table) => !this.#firstRows.has(table));
    const used = await this.#names(USED_SEQUENCES);
    // Without triggers, because foreign keys require an order, and the audit log refuses deletes.
    await this.#pglite.exec(
      [
        'set session_replication_role = replica',
        ...filled.map((name) => `delete from ${name}`),
        ...used.map((name) => `alter sequence ${name} restart`),
        'reset session_replication_role',
      ].join(';\n'),
    );
    if (filled.length > 0) await this.#pglite.exec(`vacuum ${filled.join(', ')}`);
    return true;
  }

  async #readSchema() {
    return (await this.#pglite.query(SCHEMA)).rows[0].schema;
  }

  /** @returns {Promise<Map<string, string>>} tables that are not empty */
  async #readRows() {
    const each = (await this.#names(TABLES)).map(
      (name) => `select '${name}' as name, case when exists (select from ${name}) then 1 end as filled`,
    );
    const { rows } = await this.#pglite.query(each.join(' union all '));
    const filled = rows.filter((row) => row.filled).map(({ name }) => name);
    const known = filled.filter((name) => this.#firstRows.size === 0 || this.#firstRows.has(name));
    const texts = new Map(filled.map((name) => [name, '']));
    for (const name of known) {
      const text = await this.#pglite.query(`select md5(string_agg(t::text, ' ' order by t::text)) as text from ${name} as t`);
      texts.set(name, text.rows[0].text);
    }
    return texts;
  }

  async #names(query) {
    return (await this.#pglite.query(query)).rows.map(({ name }) => name);
  }
}

/** PostgreSQL starts a timer of ten seconds for its statistics, which would keep the process alive. */
function withUnrefTimers(work) {
  const { setTimeout } = globalThis;
  const restore = () => (globalThis.setTimeout = setTimeout);
  globalThis.setTimeout = (then, ...rest) => setTimeout(() => withUnrefTimers(then), ...rest).unref();
  let result;
  try {
    result = work();
  } finally {
    if (!(result instanceof Promise)) restore();
  }
  return result instanceof Promise ? result.finally(restore) : result;
}

/** Two, because some tests compare two installations, and opening one late in a process takes up to 20 seconds. */
const MOST_FREE = 2;
/** @type {KeptPglite[]} */
const free = [];

export default class KeptDatabases extends NodeEnvironment {
  async setup() {
    await super.setup();
    this.global.keptDatabases = {
      /** For one user at a time: a second one gets its own PGlite. */
      async takePglite(template, options) {
        const kept = free.pop();
        if (kept && (await kept.reset())) return kept;
        await kept?.close();
        return KeptPglite.open(template, options);
      },
      async givePglite(kept) {
        if (free.length < MOST_FREE) free.push(kept);
        else await kept.close();
      },
    };
  }
}
