/** `npm run check`: everything that can be said of the source without running the product. */
import { CHECKS, SHAPE_CHECK, runChecks } from './lib/checks.mjs';
import { say, sayResult } from './lib/progress.mjs';
import { ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
const results = await runChecks([...CHECKS, SHAPE_CHECK], sayResult);
const failed = results.filter(({ status }) => status === 'failed');
say(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.map(({ name }) => name).join('; ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
