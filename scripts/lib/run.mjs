/**
 * Runs other programs for the scripts, and stores their output in case they fail. Works on Node 20.19 without any package.
 */
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** Ignored by git and by the tools. */
export const CACHE = join(ROOT, '.cache');
const BIN = join(ROOT, 'node_modules', '.bin');

/** The exit codes that a shell reports for programs that a signal has ended. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 };

/** `process.env` with the project's own binaries first in the path (including the Node that npm installed). */
export function projectEnv(extraVariables = {}) {
  return { ...process.env, PATH: [BIN, findPathWithoutProject()].join(delimiter), ...extraVariables };
}

/** `process.env` without the project's own binaries, for programs of the machine; npm must not run on the Node that it may replace. */
export function machineEnv(extraVariables = {}) {
  return { ...process.env, PATH: findPathWithoutProject(), ...extraVariables };
}

function findPathWithoutProject() {
  const entries = (process.env.PATH ?? '').split(delimiter);
  return entries.filter((entry) => entry !== '' && entry !== BIN).join(delimiter);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, timeoutMs?: number, onLine?: (line: string) => void }} [options] the output is
 * collected, and passed to `onLine` line by line
 * @returns {Promise<{ code: number, output: string }>} 127 if the program is missing, 126 if it cannot be started for another
 * reason, 124 after a timeout, and 1 if a signal has ended it
 */
export function run(command, args, { env = projectEnv(), timeoutMs, onLine } = {}) {
  return new Promise((resolve) => {
    // The program gets its own process group, so that a signal ends all processes that it started.
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const readOutput = collect(child, onLine);
    const signal = (name) => signalGroup(child.pid, name);
    const timer = timeoutMs ? setTimeout(() => signal('SIGKILL'), timeoutMs) : undefined;
    const startedAt = performance.now();
    const stop = (name) => process.exit(EXIT_CODES[name]);
    const endGroup = () => signal('SIGTERM');
    process.once('SIGINT', stop).once('SIGTERM', stop).prependOnceListener('exit', endGroup);
    const end = (code, remark) => {
      clearTimeout(timer);
      process.off('SIGINT', stop).off('SIGTERM', stop).off('exit', endGroup);
      resolve({ code, output: readOutput() + remark });
    };
    child.once('error', (error) => end(error.code === 'ENOENT' ? 127 : 126, `${error.message}\n`));
    child.once('close', (code, signalName) => {
      const isLate = signalName === 'SIGKILL' && timeoutMs !== undefined && performance.now() - startedAt >= timeoutMs;
      if (isLate) end(124, `\nThe program did not end within ${Math.round(timeoutMs / 1000)} s.\n`);
      else end(code ?? 1, signalName ? `\nThe program was ended by ${signalName}.\n` : '');
    });
  });
}

/** @returns {() => string} a function that returns the output so far: standard output and standard error */
function collect(child, onLine) {
  let output = '';
  let partialLine = '';
  const append = (text) => {
    output += text;
    if (!onLine) return;
    const lines = (partialLine + text).split('\n');
    partialLine = lines.pop() ?? '';
    lines.forEach((line) => onLine(line));
  };
  child.stdout?.setEncoding('utf8').on('data', append);
  child.stderr?.setEncoding('utf8').on('data', append);
  return () => output;
}

function signalGroup(pid, name) {
  try {
    if (pid) process.kill(-pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
