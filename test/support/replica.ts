/** One built gateway as a process that can be started, stopped, killed, and started again on the same port. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const LOG_TAIL_CHARACTERS = 4000;
/** Replaces the time limits of the database pool; longer than any test waits. */
const TIMEOUT_MS = 600_000;

/**
 * The URL of a module that is loaded before the gateway, so that no request fails because a busy machine waits long for a connection,
 * a statement or a lock of the database. The limits themselves are tested in `database-limits.test.ts`.
 */
const buildPreloadUrl = (main: string): string =>
  `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module';
  const pg = createRequire(${JSON.stringify(main)})('pg');
  const limits = ['connectionTimeoutMillis', 'query_timeout', 'statement_timeout', 'lock_timeout'];
  pg.Pool = class extends pg.Pool {
    constructor(options) {
      const given = limits.filter((limit) => limit in options);
      super({ ...options, ...Object.fromEntries(given.map((limit) => [limit, ${TIMEOUT_MS}])) });
    }
  };
`)}`;

export class Replica {
  #process: ChildProcess | undefined;
  #log = '';

  constructor(
    readonly port: number,
    readonly operatorUrl: string,
    private readonly env: NodeJS.ProcessEnv,
    /** The main file, if it is that of another version. */
    private readonly main = MAIN,
  ) {}

  start(): void {
    if (!existsSync(this.main)) throw new Error(`There is no ${this.main}. \`npm run build\` makes it.`);
    const started = spawn(process.execPath, ['--import', buildPreloadUrl(this.main), this.main], {
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (text: Buffer) => (this.#log = (this.#log + text.toString()).slice(-LOG_TAIL_CHARACTERS)));
    }
    this.#process = started;
  }

  /** The last lines of its output. */
  get log(): string {
    return this.#log;
  }

  get processId(): number | undefined {
    return this.#process?.pid;
  }

  get hasEnded(): boolean {
    const ended = this.#process;
    return !ended || ended.exitCode !== null || ended.signalCode !== null;
  }

  /** @returns the exit code; null if the signal ended the process */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const ending = this.#process;
    if (!ending || this.hasEnded) return ending?.exitCode ?? null;
    const exit = once(ending, 'exit') as Promise<[number | null]>;
    ending.kill(signal);
    return (await exit)[0];
  }
}
