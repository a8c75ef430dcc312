/**
 * The released version before this one, built from its commit, for tests of a rolling upgrade. The build is kept in the
 * cache of this clone.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CACHE, makeProjectFolder } from './project-folder.js';

const run = promisify(execFile);

/** This line is changed at each release. */
const PREVIOUS = { version: '0.1.0', commit: '005e247ecb870a62900391dcc57fbb89aaa51653' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PREFIX = 'previous-';
const COMPILER = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
const BUILD_MS = 240_000;

/** @returns why the previous version cannot be built here, or null */
export function whyNoPreviousVersion(): string | null {
  try {
    execFileSync('git', ['cat-file', '-e', `${PREVIOUS.commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return null;
  } catch {
    return `this clone does not have the commit ${PREVIOUS.commit} of version ${PREVIOUS.version}`;
  }
}

/** @returns path of the built `main.js` */
export async function buildPreviousVersion(): Promise<string> {
  const kept = join(CACHE, `${PREFIX}${PREVIOUS.version}-${PREVIOUS.commit}`);
  if (!existsSync(kept)) await build(kept);
  await providePackages(kept);
  return join(kept, 'dist', 'src', 'main.js');
}

async function build(kept: string): Promise<void> {
  const directory = makeProjectFolder('previous');
  try {
    // The NODE_ENV of Jest would build pages for tests.
    const inside = toRunOptions(directory);
    const archive = `git -C "$1" archive "$2" | tar -x -C "$3"`;
    await run('sh', ['-c', archive, 'sh', ROOT, PREVIOUS.commit, directory]);
    await providePackages(directory);
    await Promise.all([
      buildServer(directory),
      run('npm', ['run', '--silent', 'build:web'], inside),
      run('npm', ['run', '--silent', 'build:ssr'], inside),
    ]);
    await rename(directory, kept);
    const older = (await readdir(CACHE)).filter((name) => name.startsWith(PREFIX) && join(CACHE, name) !== kept);
    await Promise.all(older.map((name) => rm(join(CACHE, name), { recursive: true, force: true })));
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    // Another test process may have been faster.
    if (!existsSync(kept)) throw error;
  }
}

/** Compiles what was checked before its release: without a check of types, and with the native compiler, in a tenth of the time of `build:server`. */
async function buildServer(directory: string): Promise<void> {
  const emit = ['-p', 'tsconfig.build.json', '--noCheck', '--declaration', 'false', '--sourceMap', 'false'];
  await run(process.execPath, [COMPILER, ...emit], toRunOptions(directory));
  const { compilerOptions } = JSON.parse(readFileSync(join(directory, 'nest-cli.json'), 'utf8')) as NestSettings;
  const copies = (compilerOptions.assets ?? []).map((path) =>
    cp(join(directory, 'src', path), join(directory, 'dist', 'src', path)),
  );
  await Promise.all(copies);
}

interface NestSettings {
  compilerOptions: { assets?: string[] };
}

const toRunOptions = (directory: string) => ({ cwd: directory, timeout: BUILD_MS, env: { ...process.env, NODE_ENV: undefined } });

/** Provides the packages, because those of this clone may have changed since the build was kept. */
async function providePackages(directory: string): Promise<void> {
  const packages = join(directory, 'node_modules');
  const isOurs = hasSamePackages(directory);
  if (!isOurs && existsSync(packages)) return;
  await rm(packages, { recursive: true, force: true });
  if (isOurs) await symlink(join(ROOT, 'node_modules'), packages);
  else await run('npm', ['ci', '--no-audit', '--no-fund'], toRunOptions(directory));
}

/**
 * The packages of this clone can be used if they include all packages of the build in the same versions. Linters and formatters, which the
 * build does not use, may be gone.
 */
function hasSamePackages(directory: string): boolean {
  const [its, own] = [directory, ROOT].map((root) => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
    return packages;
  }) as [Lock['packages'], Lock['packages']];
  return Object.entries(its).every(
    ([path, { version, dev = false }]) => path === '' || own[path]?.version === version || (dev && !own[path]),
  );
}

interface Lock {
  packages: Record<string, { version?: string; dev?: boolean }>;
}
