/** The checks of `npm run check`, the benchmark, and how to run them. */
import { run } from './run.mjs';
import { findNode } from './setup.mjs';
import { TSC, nodeMajor, runJest, runTool } from './tools.mjs';

/** @typedef {{ name: string, run: () => Promise<{ code: number, output: string }>, node?: number }} Check */
/** @typedef {{ name: string, status: 'passed' | 'failed' | 'skipped', output: string, seconds: number }} CheckResult */

const buildToolCheck = (name, command, ...args) => ({ name, run: () => runTool(command, args) });

/** The checks of types, longest first. @type {readonly Check[]} */
export const TYPE_CHECKS = [
  buildToolCheck('types: server, tests', TSC, '--noEmit', '-p', 'tsconfig.json'),
  buildToolCheck('types: pages', TSC, '--noEmit', '-p', 'web/tsconfig.json'),
  buildToolCheck('types: console', TSC, '--noEmit', '-p', 'console/tsconfig.json'),
];

/** The other static checks, longest first. @type {readonly Check[]} */
export const CHECKS = [
  buildToolCheck('lint', 'oxlint', '--deny-warnings', '.'),
  {
    ...buildToolCheck(
      'import rules',
      'depcruise',
      '--config',
      '.dependency-cruiser.mjs',
      'src',
      'web',
      'console',
      'embedded',
      'test-kit',
      'test',
    ),
    node: 22,
  },
  buildToolCheck('unused code', 'knip'),
  buildToolCheck('format', 'oxfmt', '--check'),
];

/** The shape tests; in a full run they are one of jest's projects. @type {Check} */
export const SHAPE_CHECK = { name: 'shape', run: () => runJest(['--selectProjects', 'shape', '--silent']) };

/** Counts the work of a sign-in; with the full matrix, it also measures a sign-in shortly. @type {Check} */
export const BENCH_CHECK = {
  name: 'bench',
  run: () => run(findNode(), ['test/bench/run.mjs', process.env.TEST_MATRIX === 'full' ? '--quick' : '--counts']),
};

/** @param {Check} check @returns {Promise<CheckResult>} */
export async function runCheck({ name, run, node = 0 }) {
  const startedAt = performance.now();
  if (nodeMajor() < node) return { name, status: 'skipped', output: `requires Node ${node} or later`, seconds: 0 };
  const { code, output } = await run();
  return { name, status: code === 0 ? 'passed' : 'failed', output, seconds: (performance.now() - startedAt) / 1000 };
}
