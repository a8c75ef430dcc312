/** `npm run check`: the static checks and the shape tests, without starting the product. */
import { CHECKS, SHAPE_CHECK, TYPE_CHECKS, runCheck } from './lib/checks.mjs';
import { runInLanes } from './lib/lanes.mjs';
import { say, sayResult } from './lib/progress.mjs';
import { ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
const results = [];
// Two checks run at a time, because the longest check uses little more than one core.
await runInLanes([...TYPE_CHECKS, ...CHECKS, SHAPE_CHECK], 2, async (check) => {
  const result = await runCheck(check);
  results.push(result);
  sayResult(result);
});
const failures = results.filter(({ status }) => status === 'failed');
say(failures.length === 0 ? 'All checks passed.' : `Failed: ${failures.map(({ name }) => name).join('; ')}.`);
process.exitCode = failures.length === 0 ? 0 : 1;
