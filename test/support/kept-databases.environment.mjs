/**
 * Keeps a PGlite for all the test files that a process runs, because opening one takes longer than many files: whoever takes
 * it next finds it empty again. Lies outside of jest's sandbox, so what it hands out is of another realm.
 */
import { Blob } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import NodeEnvironment from 'jest-environment-node';

/** Everything that a test could have changed beside rows. */
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
  /** Of tables with rows from the beginning, by name. */
  #firstRows = new Map();

  static async open(template, options) {
    const { PGlite } = await import('@electric-sql/pglite');
    const kept = new KeptPglite();
    kept.#pglite = await PGlite.create({ ...options, loadDataDir: new Blob([await readFile(template)]) });
    const exec = kept.#pglite.execProtocolRawSync.bind(kept.#pglite);
    kept.#pglite.execProtocolRawSync = (...args) => withoutHolding(() => exec(...args));
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

  /** @returns {Promise<boolean>} false when it cannot be made as it was */
  async reset() {
    await this.#pglite.exec('rollback');
    await this.#pglite.exec('discard all');
    if ((await this.#readSchema()) !== this.#schema) return false;
    const rows = await this.#readRows();
    for (const [table, text] of this.#firstRows) if (rows.get(table) !== text) return false;
    const filled = [...rows.keys()].filter((table) => !this.#firstRows.has(table));
    const used = await this.#names(USED_SEQUENCES);
    // Without triggers: foreign keys ask for an order, and the audit log refuses to be emptied.
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

  /** @returns {Promise<Map<string, string>>} of tables that are not empty */
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

/** PostgreSQL sets a timer of ten seconds for its statistics, which would keep the process from ending. */
function withoutHolding(work) {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (then, ...rest) => setTimeout(() => withoutHolding(then), ...rest).unref();
  try {
    return work();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}

/** @type {KeptPglite | null} */
let free = null;

export default class KeptDatabases extends NodeEnvironment {
  async setup() {
    await super.setup();
    this.global.keptDatabases = {
      /** For one at a time: a second one gets a PGlite of its own, and the last that is given back is kept. */
      async takePglite(template, options) {
        const kept = free;
        free = null;
        if (kept && (await kept.reset())) return kept;
        await kept?.close();
        return KeptPglite.open(template, options);
      },
      async givePglite(kept) {
        if (free) await kept.close();
        else free = kept;
      },
    };
  }
}
