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
  /**
   * A placeholder for the names of the event sinks that receive this kind of event, or the kind in the parameter; null if the
   * database has no event sinks, so that the statement does not name the column.
   */
  buildSinks: ((kind: { kind: string } | { param: keyof Params & string }) => RawBuilder<string[] | null>) | null;
}

/** @returns the names of the event sinks that receive events of this kind; null if there are none */
export type FindSinks = (kind: string) => readonly string[] | null;

class Param {
  constructor(readonly name: string) {}
}

/** A placeholder that is filled with the names of sinks. */
class SinkNames {
  constructor(readonly source: { kind: string } | { param: string }) {}

  find(values: Values, findSinks: FindSinks): readonly string[] | null {
    const kind = 'kind' in this.source ? this.source.kind : values[this.source.param];
    return typeof kind === 'string' ? findSinks(kind) : null;
  }
}

const SKEW = { param: 'skew' };

/** All statements by name. Foyer does not start with two statements of the same name, because the server would mix up their plans. */
export const STATEMENTS = new Map<string, Statement<never, unknown>>();

export class Statement<Params extends Values, Row> {
  #cached: CompiledQuery<Row> | undefined;
  #cachedWithSinks: CompiledQuery<Row> | undefined;

  constructor(
    /** Unique; the server caches the plan under this name. */
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

  /** @param findSinks null if the database has no event sinks */
  fill(values: Params, skewMs: number, findSinks: FindSinks | null = null): CompiledQuery<Row> {
    const compiledQuery = findSinks ? this.#compiledWithSinks : this.#compiled;
    // A connection stores only one plan under a name.
    const statementName = compiledQuery.sql === this.text ? this.name : `${this.name}.sinks`;
    const parameters = compiledQuery.parameters.map((parameter) => {
      if (parameter instanceof Param) return values[parameter.name];
      if (findSinks && parameter instanceof SinkNames) return parameter.find(values, findSinks);
      return parameter === SKEW ? skewMs : parameter;
    });
    const query: CompiledQuery<Row> & NamedQuery = { ...compiledQuery, parameters, statementName };
    return query;
  }

  get #compiled(): CompiledQuery<Row> {
    return (this.#cached ??= this.#compile(null));
  }

  get #compiledWithSinks(): CompiledQuery<Row> {
    return (this.#cachedWithSinks ??= this.#compile((source) => sql`${new SinkNames(source)}`));
  }

  #compile(buildSinks: Placeholders<Params>['buildSinks']): CompiledQuery<Row> {
    const param = <Name extends keyof Params & string>(name: Name): RawBuilder<Params[Name]> =>
      sql<Params[Name]>`${new Param(name)}`;
    return this.build({ param, now: buildTime(SKEW), buildSinks }).compile(builder);
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
