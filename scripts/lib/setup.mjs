/**
 * Prepares a clone: installs the packages of the lock file, builds the current sources, and finds the right Node. `npm start` and
 * `npm test` use it. It does nothing if everything is up to date, and needs no packages until they are installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFileLock } from './file-lock.mjs';
import { isInstalled } from './installed-packages.mjs';
import { ROOT, machineEnv, run } from './run.mjs';
import { hashFiles } from './source-hash.mjs';

const LOCK = join(ROOT, '.cache', 'setup.lock');
const STAMP = join(ROOT, 'dist', '.sources');
const INPUTS = [
  'src',
  'embedded',
  'test-kit',
  'web',
  'console',
  'locales',
  'scripts/compile.mjs',
  'scripts/bundle.mjs',
  'scripts/lib/programs.mjs',
  'scripts/precompress.mjs',
  'scripts/embedded-template.mjs',
  'package.json',
  'package-lock.json',
  'nest-cli.json',
];
const SETTINGS = [
  'tsconfig.json',
  'tsconfig.build.json',
  'vite.config.ts',
  'vite.config.mts',
  'vite.config.mjs',
  'vite.config.js',
];

/**
 * Installs the packages of the lock file if `node_modules` is missing or different, and generates the types of the operator API.
 * @returns {Promise<void>}
 */
export async function ensureInstalled() {
  await runAlone(async () => {
    if (!isInstalled(readJson('package-lock.json'), readJson('node_modules/.package-lock.json'))) {
      say('Installing packages (half a minute, or a few minutes on a slow network) …');
      const { code, output } = await install();
      if (code !== 0) throw new Error(`The packages could not be installed (npm ended with ${code}):\n${output}`);
    }
    // This module is imported after the installation, because it needs a package.
    const { ensureOperatorTypes } = await import('./operator-api/types.mjs');
    await ensureOperatorTypes();
  });
}

/** Builds server and pages if a source has changed since the last build. @returns {Promise<void>} */
export async function ensureBuilt() {
  await runAlone(async () => {
    const sources = hashSources();
    if (isBuilt(sources)) return;
    say('Building server and pages …');
    rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
    const { code, output } = await run('npm', ['run', '--silent', 'build'], { env: machineEnv() });
    if (code !== 0) throw new Error(`The build failed:\n${output}`);
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    writeFileSync(STAMP, sources);
  });
}

/**
 * Tests import this function by the address of this file, which the check for unused code does not follow.
 * @public
 * @returns {boolean} whether `dist` is the build of the current sources
 */
export function isBuilt(sources = hashSources()) {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources;
}

function hashSources() {
  return hashFiles(ROOT, [...INPUTS, ...SETTINGS], (path) => !/\.test\.tsx?$/.test(path));
}

/** @returns {string} the Node that npm installed if it runs on this machine, otherwise the Node that runs this script */
export function findNode() {
  const projectNode = join(ROOT, 'node_modules', '.bin', 'node');
  const isUsable = existsSync(projectNode) && spawnSync(projectNode, ['--version'], { timeout: 10_000 }).status === 0;
  return isUsable ? projectNode : process.execPath;
}

/**
 * `npm ci` refuses its own lock file if the registry has removed an optional package of another platform. `npm install` then installs
 * the same packages, and changes neither package.json nor the lock file.
 */
async function install() {
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const result = await run('npm', ['ci', ...flags], { env: machineEnv() });
  if (result.code === 0 || !/Missing: .+ from lock file/.test(result.output)) return result;
  return run('npm', ['install', '--no-save', ...flags], { env: machineEnv() });
}

function runAlone(work) {
  return withFileLock(LOCK, work, (owner) => say(`Waiting for another setup in this folder (process ${owner}) …`));
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  } catch {
    return null;
  }
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
