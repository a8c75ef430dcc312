/**
 * A small tree of files that breaks a rule of the repository on purpose, to test that the checking tool finds it. It
 * lies inside the project, so that the project's packages and settings apply.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeProjectFolder } from './project-folder.js';

export const PROJECT = new URL('../..', import.meta.url).pathname;

export class ScratchTree {
  #root: string | undefined;

  /** The folder, made at its first use: a suite that is skipped has none. */
  get root(): string {
    return (this.#root ??= makeProjectFolder('scratch'));
  }

  write(path: string, content: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  /** @returns the text of one of the project's own files */
  projectFile(path: string): string {
    return readFileSync(join(PROJECT, path), 'utf8');
  }

  /** Runs one of the project's tools in the tree. @returns its standard output */
  run(tool: string, args: readonly string[]): string {
    const script = realpathSync(join(PROJECT, 'node_modules', '.bin', tool));
    const { stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      cwd: this.root,
      // A cache of eslint, which it would make in the temporary folder.
      env: { ...process.env, JITI_FS_CACHE: 'false' },
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    if (stdout === '') throw new Error(`${tool} printed nothing: ${stderr}`);
    return stdout;
  }

  remove(): void {
    if (this.#root !== undefined) rmSync(this.#root, { recursive: true, force: true });
  }
}
