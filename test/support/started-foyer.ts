/**
 * The built product as a separate process, started like `npm start`: `dist/embedded/start.js`, with all ports and the
 * data directory given and a clean environment. Tests know it only by its terminal output.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { SHORT_LIVED, processEnvironment } from './process-environment.js';

const START = fileURLToPath(new URL('../../dist/embedded/start.js', import.meta.url));
const READY = 'Ctrl+C stops everything';
const TIMEOUT_MS = 180_000;

const PORT_SETTINGS = [
  'EMBEDDED_DEMO_APP_PORT',
  'EMBEDDED_REGISTRATION_PORT',
  'PORT',
  'OPERATOR_PORT',
  'EMBEDDED_UPSTREAM_PUBLIC_PORT',
  'EMBEDDED_UPSTREAM_ADMIN_PORT',
  'EMBEDDED_MAILBOX_PORT',
  'EMBEDDED_SMTP_PORT',
  'EMBEDDED_PROVIDERS_PORT',
  'EMBEDDED_PEOPLE_PORT',
] as const;

export type Ports = Record<(typeof PORT_SETTINGS)[number], number>;

export async function choosePorts(): Promise<Ports> {
  const free = await findFreePorts(PORT_SETTINGS.length);
  return Object.fromEntries(PORT_SETTINGS.map((name, index) => [name, free[index]])) as Ports;
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Everything written to both streams. */
  output: string;
}

export class StartedFoyer {
  #output = '';
  readonly #process: ChildProcess;
  /** Resolves when the process has ended. */
  readonly ended: Promise<ProcessEnd>;

  private constructor(env: Record<string, string>) {
    if (!existsSync(START)) throw new Error('There is no dist/embedded/start.js. `npm run build` makes it.');
    const { HOME = '' } = process.env;
    this.#process = spawn(process.execPath, [...SHORT_LIVED, START], {
      env: { ...processEnvironment(), HOME, HYDRA_TIMEOUT_MS: '60000', ...env },
      // The fourth stream is the channel that shows whether the parent is alive.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const streams = [this.#process.stdout, this.#process.stderr].filter((stream) => stream !== null);
    for (const stream of streams) stream.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    this.ended = this.#end(streams);
  }

  /** Starts without waiting. */
  static begin(dataDir: string, ports: Ports, env: Record<string, string> = {}): StartedFoyer {
    const numbers = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
    return new StartedFoyer({ ...numbers, DATA_DIR: dataDir, ...env });
  }

  /** @throws with all output if the process ends instead of becoming ready */
  static async start(dataDir: string, ports: Ports, env: Record<string, string> = {}): Promise<StartedFoyer> {
    const foyer = StartedFoyer.begin(dataDir, ports, env);
    await foyer.waitForText(READY);
    return foyer;
  }

  /** The terminal output so far. */
  get output(): string {
    return this.#output;
  }

  /** Finds the value of a label in the banner, like `Password`. */
  findValue(label: string): string {
    const found = new RegExp(`^\\s*${label}\\s+(.+?)\\s*$`, 'm').exec(this.#output)?.[1];
    if (found === undefined) throw new Error(`The terminal shows no ${label}:\n${this.#output}`);
    return found;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Simulates the death of the parent process. */
  disconnect(): void {
    this.#process.disconnect();
  }

  async stop(): Promise<ProcessEnd> {
    this.signal('SIGTERM');
    return this.ended;
  }

  /** Waits without the event `close`, which never comes after `disconnect`. */
  async #end(streams: readonly Readable[]): Promise<ProcessEnd> {
    const exit = new Promise<Omit<ProcessEnd, 'output'>>((resolve) => {
      this.#process.once('exit', (code, signal) => resolve({ code, signal }));
    });
    await Promise.all(streams.map((stream) => finished(stream)));
    return { ...(await exit), output: this.#output };
  }

  /** Waits until the terminal shows this text. */
  async waitForText(text: string): Promise<void> {
    const end = this.ended.then(({ code, output }) => {
      throw new Error(`It ended with ${String(code)} instead of saying ${JSON.stringify(text)}:\n${output}`);
    });
    let late: NodeJS.Timeout | undefined;
    const said = new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (this.#output.includes(text)) resolve();
      };
      this.#process.stdout?.on('data', look);
      look();
      late = setTimeout(() => {
        this.signal('SIGKILL');
        reject(new Error(`It did not say ${JSON.stringify(text)} within ${TIMEOUT_MS} ms:\n${this.#output}`));
      }, TIMEOUT_MS);
    });
    await Promise.race([said, end]).finally(() => clearTimeout(late));
  }
}
