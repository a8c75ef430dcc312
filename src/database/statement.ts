/**
 * SQL that is built once and run often, because building and compiling with kysely costs more than sending. Values and the time of
 * the database are placeholders that are filled for each run.
 */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type RawBuilder,
} from 'kysely';
import type { NamedQuery } from './driver.js';
import type { Schema } from './schema.js';

type Values = Record<string, unknown>;

export interface Placeholders<Params extends Values> {
  /** A placeholder for the value of this name. */
  param<Name extends keyof Params & string>(name: Name): RawBuilder<Params[Name]>;
  /** The authoritative time: the time of the database plus the skew of the clock. */
  now: RawBuilder<Date>;
}

class Param {
  constructor(readonly name: string) {}
}

const SKEW = { param: 'skew' };

/** All statements by name. Foyer does not start with two statements of one name, because the server would mix up their plans. */
export const STATEMENTS = new Map<string, Statement<never, unknown>>();

export class Statement<Params extends Values, Row> {
  #kept: CompiledQuery<Row> | undefined;

  constructor(
    /** Unique; the server caches the plan under it. */
    readonly name: string,
    private readonly build: (placeholders: Placeholders<Params>) => RawBuilder<Row>,
  ) {
    if (STATEMENTS.has(name)) throw new Error(`Two statements have the name ${name}.`);
    STATEMENTS.set(name, this);
  }

  /** SQL with numbered parameters. */
  get text(): string {
    return this.#compiled.sql;
  }

  fill(values: Params, skewMs: number): CompiledQuery<Row> {
    const parameters = this.#compiled.parameters.map((parameter) => {
      if (parameter instanceof Param) return values[parameter.name];
      return parameter === SKEW ? skewMs : parameter;
    });
    const filled: CompiledQuery<Row> & NamedQuery = { ...this.#compiled, parameters, statementName: this.name };
    return filled;
  }

  get #compiled(): CompiledQuery<Row> {
    return (this.#kept ??= this.#compile());
  }

  #compile(): CompiledQuery<Row> {
    const param = <Name extends keyof Params & string>(name: Name): RawBuilder<Params[Name]> =>
      sql<Params[Name]>`${new Param(name)}`;
    return this.build({ param, now: buildTime(SKEW) }).compile(builder);
  }
}

/** @param skewMs milliseconds, or the placeholder for them */
export function buildTime(skewMs: unknown): RawBuilder<Date> {
  return sql<Date>`(now() + ${skewMs}::double precision * interval '1 millisecond')`;
}

/** @returns the seconds as an interval */
export function interval(seconds: number | RawBuilder<number>): RawBuilder<unknown> {
  return sql`${seconds}::double precision * interval '1 second'`;
}

/** Only compiles; it has no connection. */
const builder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
