/**
 * The released version before this one, built from its commit, for tests of a rolling upgrade. The build is kept in the
 * temporary directory of the machine.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A release replaces this line. */
const PREVIOUS = { version: '0.1.0', commit: '005e247ecb870a62900391dcc57fbb89aaa51653' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD_MS = 240_000;

/** @returns why it cannot be built here, or null */
export function whyNoPreviousVersion(): string | null {
  try {
    execFileSync('git', ['cat-file', '-e', `${PREVIOUS.commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return null;
  } catch {
    return `this clone has not the commit ${PREVIOUS.commit} of version ${PREVIOUS.version}`;
  }
}

/** @returns path of the built `main.js` */
export async function previousVersion(): Promise<string> {
  const kept = join(tmpdir(), `foyer-${PREVIOUS.version}-${PREVIOUS.commit}`);
  if (!existsSync(kept)) await build(kept);
  await linkPackages(kept);
  return join(kept, 'dist', 'src', 'main.js');
}

async function build(kept: string): Promise<void> {
  const directory = await mkdtemp(`${kept}-`);
  try {
    // jest's NODE_ENV would build pages for tests.
    const inside = { cwd: directory, timeout: BUILD_MS, env: { ...process.env, NODE_ENV: undefined } };
    const archive = `git -C "$1" archive "$2" | tar -x -C "$3"`;
    await run('sh', ['-c', archive, 'sh', ROOT, PREVIOUS.commit, directory]);
    if (hasSamePackages(directory)) await linkPackages(directory);
    else await run('npm', ['ci', '--no-audit', '--no-fund'], inside);
    await run('npm', ['run', '--silent', 'build'], inside);
    await rename(directory, kept);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    // Another test process may have been faster.
    if (!existsSync(kept)) throw error;
  }
}

/**
 * The packages of this clone serve it, if they include all of its own in the same versions.
 * @param needed `run`: without those that only the build needs
 */
function hasSamePackages(directory: string, needed: 'build' | 'run' = 'build'): boolean {
  const [its, own] = [directory, ROOT].map((of) => {
    const { packages } = JSON.parse(readFileSync(join(of, 'package-lock.json'), 'utf8')) as Lock;
    return packages;
  }) as [Lock['packages'], Lock['packages']];
  return Object.entries(its).every(([path, { version, dev = false }]) => {
    return path === '' || (needed === 'run' && dev) || own[path]?.version === version;
  });
}

interface Lock {
  packages: Record<string, { version?: string; dev?: boolean }>;
}

async function linkPackages(directory: string): Promise<void> {
  if (!hasSamePackages(directory, 'run')) return;
  const link = join(directory, 'node_modules');
  await rm(link, { recursive: true, force: true });
  await symlink(join(ROOT, 'node_modules'), link);
}
