/**
 * A small tree of files that breaks a rule of the repository on purpose, to test that the checking tool finds it. The tree
 * is inside the project, so that the packages and settings of the project apply.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeProjectFolder } from './project-folder.js';

export const PROJECT = new URL('../..', import.meta.url).pathname;

/** @param folder a folder of the project @returns the paths of all files in it and below, from the project's folder on */
export function listFilesBelow(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFilesBelow(path) : [path];
  });
}

export class ScratchTree {
  #root: string | undefined;

  /** The folder, created when it is first used, so that a skipped suite creates none. */
  get root(): string {
    return (this.#root ??= makeProjectFolder('scratch'));
  }

  write(path: string, content: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  /** The settings of the linter and of the compiler. */
  writeLinter(): void {
    // Git ignores the folder of the tree, so oxlint would skip it; oxlint does not skip a repository inside the folder.
    this.write('.git/HEAD', '');
    this.write('.oxlintrc.json', this.projectFile('.oxlintrc.json'));
    this.write('tsconfig.json', '{ "extends": "../../tsconfig.json", "include": ["src", "test"] }');
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
      // Prevents a cache that knip would create in the temporary folder.
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
