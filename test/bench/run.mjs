/**
 * `npm run bench`: measures the built product and prints the results. CONTRIBUTING.md lists its options. The benchmark is written in
 * TypeScript and shares modules with the tests; Vite bundles it into one file that Node.js can run.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBrowser } from '../../scripts/lib/browser.mjs';
import { deleteTotal, writeTotal } from '../../scripts/lib/reports.mjs';
import { ROOT, projectEnv } from '../../scripts/lib/run.mjs';
import { beginRun, exitOnSignals } from '../../scripts/lib/run-folder.mjs';
import { ensureBuilt, ensureInstalled, findNode } from '../../scripts/lib/setup.mjs';
import { runTool } from '../../scripts/lib/tools.mjs';

const say = (line) => process.stdout.write(`${line}\n`);

deleteTotal('bench');
await ensureInstalled();
await ensureBuilt();
exitOnSignals();
const endRun = beginRun();
const browser = await ensureBrowser(say);
const tool = join(ROOT, '.cache', 'bench-tool');
const { code, output } = await runTool('vite', ['build', '--ssr', '../test/bench/bench.ts', '--outDir', tool]);
if (code !== 0) {
  process.stderr.write(output);
  process.exit(code);
}
const bench = spawn(findNode(), [join(tool, 'bench.js'), ...process.argv.slice(2)], {
  cwd: ROOT,
  env: projectEnv(browser ? { CHROMIUM: browser } : {}),
  stdio: 'inherit',
});
process.prependOnceListener('exit', () => bench.kill());
bench.once('exit', (exitCode) => {
  const left = endRun();
  left.forEach(say);
  const isGood = exitCode === 0 && left.length === 0;
  writeTotal('bench', { passed: Number(isGood), failed: Number(!isGood), skipped: 0 });
  process.exit(exitCode || Number(!isGood));
});
