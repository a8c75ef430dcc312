/** Runs the commands of a document one after another, in a folder that looks like a built clone, on free ports. */
import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toExamples } from './doc-examples.js';
import { processEnvironment } from './process-environment.js';
import { PROJECT } from './scratch-tree.js';

const PATIENCE_MS = 60_000;
const CLONE = ['package.json', 'node_modules', 'dist', 'locales', 'embedded', '.npmrc'];

const run = promisify(execFile);

export class DocumentedWalk {
  readonly folder = mkdtempSync(join(tmpdir(), 'foyer-walk-'));
  readonly #blocks: ReadonlyMap<string, string>;
  readonly #begun: ChildProcess[] = [];
  readonly #env: Record<string, string>;

  /** @param ports actual ports by the ports in the document */
  constructor(
    document: string,
    private readonly ports: Readonly<Record<number, number>>,
    env: Readonly<Record<string, string>>,
  ) {
    this.#blocks = toExamples(document);
    const { HOME = '' } = process.env;
    this.#env = { ...processEnvironment(), HOME, ...env };
    for (const name of CLONE) symlinkSync(join(PROJECT, name), join(this.folder, name));
  }

  /** @returns the standard output of the block @throws with all its output if it fails */
  async run(block: string): Promise<string> {
    const options = { cwd: this.folder, env: this.#env, timeout: PATIENCE_MS };
    return (await run('sh', ['-e', '-c', this.#script(block)], options)).stdout;
  }

  /** For a command that runs until the end of the walk. */
  begin(block: string): void {
    const options: SpawnOptions = { cwd: this.folder, env: this.#env, detached: true, stdio: 'ignore' };
    this.#begun.push(spawn('sh', ['-e', '-c', this.#script(block)], options));
  }

  file(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** Ends the process groups: the shell, npm, and what they started. */
  async end(): Promise<void> {
    const running = this.#begun.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ended = running.map((one) => once(one, 'exit'));
    for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
    await Promise.all(ended);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #script(block: string): string {
    const script = this.#blocks.get(block);
    if (script === undefined) throw new Error(`The document has no block ${block}.`);
    const moved = (text: string, [from, to]: [string, number]): string =>
      text.replaceAll(new RegExp(`(localhost:|--port )${from}\\b`, 'g'), `$1${to}`);
    return Object.entries(this.ports).reduce(moved, script);
  }
}
