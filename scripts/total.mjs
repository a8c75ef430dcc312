/**
 * `node scripts/total.mjs everything`: prints the sum of several runs, from their summaries. A run that did not finish counts
 * as one failure.
 */
import { say, sayTotal } from './lib/progress.mjs';
import { readTotal } from './lib/reports.mjs';

const sum = { passed: 0, failed: 0, skipped: 0 };
for (const run of process.argv.slice(2)) {
  const total = readTotal(run);
  if (!total) say(`The run "${run}" did not finish.`);
  const { passed, failed, skipped } = total ?? { passed: 0, failed: 1, skipped: 0 };
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
}
process.exitCode = sayTotal(sum);
