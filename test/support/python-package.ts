/** Packages of PyPI that tests run, installed into the cache of this clone. They are pinned by the hash of their wheel. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE, makeProjectFolder } from './project-folder.js';

const run = promisify(execFile);
const MAX_OUTPUT = 64 * 1024 * 1024;

export interface PythonPackage {
  name: string;
  version: string;
  /** SHA-256 of the wheel, in hex. A wheel runs nothing when it is installed. */
  sha256: string;
}

/** @returns the folder of the package for `PYTHONPATH`, or why it cannot be installed here */
export async function providePythonPackage({
  name,
  version,
  sha256,
}: PythonPackage): Promise<{ path: string } | { fault: string }> {
  const kept = join(CACHE, `python-${name}-${version}`);
  if (existsSync(kept)) return { path: kept };
  const folder = makeProjectFolder('python');
  try {
    const requirements = join(folder, 'requirements.txt');
    await writeFile(requirements, `${name}==${version} --hash=sha256:${sha256}\n`);
    const options = ['--quiet', '--require-hashes', '--no-deps', '--only-binary', ':all:', '--target', join(folder, 'package')];
    await run('python3', ['-m', 'pip', 'install', ...options, '--requirement', requirements]);
    // Another test process may have been faster.
    if (!existsSync(kept)) await rename(join(folder, 'package'), kept);
    return { path: kept };
  } catch (error) {
    const [firstLine] = String(error instanceof Error ? error.message : error).split('\n');
    return { fault: `${name} ${version} cannot be installed by pip: ${firstLine}` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param program Python @returns its output */
export async function runPython(program: string, path: string): Promise<string> {
  const env = { ...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await run('python3', ['-c', program], { env, maxBuffer: MAX_OUTPUT });
  return stdout;
}
