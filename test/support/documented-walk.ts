/** Runs the commands of a document one after another, in a folder that looks like a built clone, on free ports. */
import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toExamples } from './doc-examples.js';
import { processEnvironment } from './process-environment.js';
import { PROJECT } from './scratch-tree.js';
import { waitUntil } from './upstream-waiting.js';

const TIMEOUT_MS = 180_000;
const CLONE = ['package.json', 'node_modules', 'dist', 'locales', 'embedded', '.npmrc'];

const run = promisify(execFile);

export class DocumentedWalk {
  readonly folder = mkdtempSync(join(tmpdir(), 'foyer-walk-'));
  readonly #blocks: ReadonlyMap<string, string>;
  readonly #processes: ChildProcess[] = [];
  readonly #env: Record<string, string>;

  /** @param ports the actual ports, by the ports in the document */
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
    const options = { cwd: this.folder, env: this.#env, timeout: TIMEOUT_MS };
    return (await run('sh', ['-e', '-c', this.#script(block)], options)).stdout;
  }

  /** Begins a command that runs until the end of the walk. */
  begin(block: string): void {
    const options: SpawnOptions = { cwd: this.folder, env: this.#env, detached: true, stdio: 'ignore' };
    this.#processes.push(spawn('sh', ['-e', '-c', this.#script(block)], options));
  }

  file(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** Ends the process groups: the shell, npm, and their processes. */
  async end(): Promise<void> {
    const groups = this.#processes.flatMap(({ pid }) => pid ?? []);
    for (const group of groups) signalGroup(group, 'SIGTERM');
    // The shell ends before its processes, which still write into the folder.
    await waitUntil(TIMEOUT_MS, () => Promise.resolve(!groups.some((group) => signalGroup(group, 0))));
    rmSync(this.folder, { recursive: true, force: true });
  }

  #script(block: string): string {
    const script = this.#blocks.get(block);
    if (script === undefined) throw new Error(`The document has no block ${block}.`);
    const replacePort = (text: string, [from, to]: [string, number]): string =>
      text.replaceAll(new RegExp(`(localhost:|--port )${from}\\b`, 'g'), `$1${to}`);
    return Object.entries(this.ports).reduce(replacePort, script);
  }
}

/** @param signal 0 only checks @returns whether the process group still exists */
function signalGroup(group: number, signal: 'SIGTERM' | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
