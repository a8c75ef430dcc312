/** Programs of PyPI that tests run, with what they need, in a virtual environment in the cache of this clone. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE } from './project-folder.js';

const run = promisify(execFile);

/**
 * @param requirements a file that pins each package by version and by the hashes of its wheels, which run nothing when installed
 * @returns the folder of the programs, or why they cannot be installed here
 */
export async function providePythonTools(name: string, requirements: string): Promise<{ path: string } | { fault: string }> {
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(CACHE, `${name}-${version}`);
  const path = join(folder, 'bin');
  if (existsSync(join(folder, 'complete'))) return { path };
  try {
    await rm(folder, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', folder]);
    const options = ['--quiet', '--require-hashes', '--no-deps', '--only-binary', ':all:', '--disable-pip-version-check'];
    await run(join(path, 'python3'), ['-m', 'pip', 'install', ...options, '--requirement', requirements]);
    await writeFile(join(folder, 'complete'), '');
    return { path };
  } catch (error) {
    const [firstLine] = String(error instanceof Error ? error.message : error).split('\n');
    return { fault: `the packages of ${name} cannot be installed by pip: ${firstLine}` };
  }
}
