/** Runs the project's tools (tsc, oxlint, jest …) on the project's Node, whichever Node runs the script. */
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './run.mjs';
import { findNode } from './setup.mjs';

/** The native compiler. A path, because the package `typescript` has a binary `tsc` too. */
export const TSC = '../typescript-7/bin/tsc';

/** Jest needs the first option to load ES modules. The second prevents Node's warning about the first. */
const JEST_NODE_FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/**
 * @param {string} name path relative to `node_modules/.bin`
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runTool(name, args, options) {
  return run(findNode(), [realpathSync(join(ROOT, 'node_modules', '.bin', name)), ...args], options);
}

/** @param {readonly string[]} args @param {Parameters<typeof run>[2]} [options] */
export function runJest(args, options) {
  const jest = realpathSync(join(ROOT, 'node_modules', '.bin', 'jest'));
  return run(findNode(), [...JEST_NODE_FLAGS, jest, ...args], options);
}

/** @returns {number} major version of the Node that runs the tools */
export function nodeMajor() {
  const { stdout } = spawnSync(findNode(), ['--version'], { encoding: 'utf8' });
  return Number.parseInt(stdout.replace('v', ''), 10);
}
