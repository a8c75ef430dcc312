/** `dist/src/main.js` with a command, as a process whose output is recorded and which may be killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from './process-environment.js';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
/** A module with which every pause ends at once. */
const WITHOUT_PAUSES = `data:text/javascript,${encodeURIComponent(`
  import { syncBuiltinESMExports } from 'node:module';
  import timers from 'node:timers/promises';
  timers.setTimeout = async () => undefined;
  syncBuiltinESMExports();
`)}`;

export interface MainResult {
  /** Null if a signal ended it. */
  code: number | null;
  out: string;
  err: string;
}

export class MainProcess {
  readonly ended: Promise<MainResult>;
  readonly #process: ChildProcess;

  /** @param pauses false to skip every pause */
  constructor(args: readonly string[], env: Readonly<Record<string, string>>, { pauses = true } = {}) {
    if (!existsSync(MAIN)) throw new Error(`There is no ${MAIN}. \`npm run build\` makes it.`);
    const options = pauses ? [] : ['--import', WITHOUT_PAUSES];
    const started = spawn(process.execPath, [...options, MAIN, ...args], {
      env: { ...processEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = started;
    this.ended = MainProcess.#end(started);
  }

  static async #end(started: ChildProcess): Promise<MainResult> {
    let [out, err] = ['', ''];
    started.stdout?.on('data', (text: Buffer) => (out += text.toString()));
    started.stderr?.on('data', (text: Buffer) => (err += text.toString()));
    const [code] = (await once(started, 'close')) as [number | null];
    return { code, out, err };
  }

  /** Ends the process as a crash of the machine would. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended;
  }
}
