/**
 * `npm start`: prepares a clone (packages, build) and runs Foyer with all embedded parts. It needs no packages until they are installed.
 * It stays the parent process, forwards signals and returns the child's exit code. If it is killed, the closed channel makes the child
 * stop too, so that no port stays in use.
 */
import { spawn } from 'node:child_process';
import os from 'node:os';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';

const OLDEST_NODE = [20, 19];
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const PARENT_POLL_MS = 1000;
/** V8 would otherwise grow the young generation to 128 MiB; the requests of a demo are small and short. */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=4';
/** A faster step had nothing to do, so nothing is printed for it. */
const MIN_REPORTED_MS = 300;

if (!isNodeRecent(process.versions.node)) {
  fail(
    `Foyer needs Node.js ${OLDEST_NODE.join('.')} or later; this is ${process.versions.node}. Install a newer version and try again.`,
  );
}

// These modules are imported only after this check, because an older Node would fail on them with an unclear message.
const { ROOT, projectEnv } = await import('./lib/run.mjs');
const { ensureBuilt, ensureInstalled, findNode } = await import('./lib/setup.mjs');

try {
  await step('Packages are ready', ensureInstalled);
  await step('The build is ready', ensureBuilt);
} catch (error) {
  fail(error.message);
}
run();

function run() {
  say('Starting …');
  const child = spawn(findNode(), [SMALL_YOUNG_GENERATION, join(ROOT, 'dist', 'embedded', 'start.js')], {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: projectEnv({
      // Password hashes must not delay file access and name lookups (libuv's pool has 4 threads by default).
      UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? String(os.availableParallelism() + 2),
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(ROOT, '.cache', 'compiled'),
    }),
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  endWithNpm(child);
  child.once('error', (error) => fail(`Foyer could not be started: ${error.message}`));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
}

/** If npm is killed, it forwards no signal; its child only sees a different parent process id. */
function endWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, PARENT_POLL_MS);
  timer.unref();
}

async function step(message, work) {
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  if (ms >= MIN_REPORTED_MS) say(`${message} (${(ms / 1000).toFixed(1)} s).`);
}

function isNodeRecent(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function fail(text) {
  process.stderr.write(`\n${text}\n\n`);
  process.exit(1);
}
