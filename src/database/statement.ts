/**
 * SQL that is built once and run often: building and compiling with kysely costs more than sending. Values and the
 * database's time are placeholders that are filled at each run.
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
  /** Filled with the value of this name. */
  param<Name extends keyof Params & string>(name: Name): RawBuilder<Params[Name]>;
  /** The authoritative time: the database's, plus the clock's skew. */
  now: RawBuilder<Date>;
}

class Param {
  constructor(readonly name: string) {}
}

const SKEW = { param: 'skew' };

/** By name. Two of one name, which would get each other's plan at the server, do not start. */
export const STATEMENTS = new Map<string, Statement<never, unknown>>();

export class Statement<Params extends Values, Row> {
  #kept: CompiledQuery<Row> | undefined;

  constructor(
    /** Unique; the server caches the plan under it. */
    readonly name: string,
    private readonly build: (placeholders: Placeholders<Params>) => RawBuilder<Row>,
  ) {
    if (STATEMENTS.has(name)) throw new Error(`There are two statements of the name ${name}.`);
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
    return this.build({ param, now: timeAhead(SKEW) }).compile(builder);
  }
}

/** @param skewMs milliseconds, or the placeholder for them */
export function timeAhead(skewMs: unknown): RawBuilder<Date> {
  return sql<Date>`(now() + ${skewMs}::double precision * interval '1 millisecond')`;
}

/** This many seconds as an interval. */
export function interval(seconds: number | RawBuilder<number>): RawBuilder<unknown> {
  return sql`${seconds}::double precision * interval '1 second'`;
}

/** Compiles and never connects. */
const builder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
